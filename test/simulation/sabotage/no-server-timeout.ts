/** Lets the API server work on its writes for as long as that likes, beyond what the next leader waits for (I8). */
import type { Sabotage } from '../world/index.ts';
import { wrapped } from './wrap-transport.ts';

export const noServerTimeout: Sabotage = {
  name: 'does not tell the API server how long it may work on a write',
  transport: (inner) =>
    wrapped(inner, (request) =>
      inner.send({ ...request, path: request.path.replace(/[?&]timeout=\d+ms/, '') }),
    ),
};
