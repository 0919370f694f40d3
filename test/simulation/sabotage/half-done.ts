/** Started anew, it takes every node that it finds for done (P7). */
import type { Sabotage } from '../world/index.ts';
import { nodeOfPatch, pretend, wrapped } from './wrap-transport.ts';

export const halfDone: Sabotage = {
  name: 'never ends what a process before it has begun',
  transport: (inner, { number }) =>
    wrapped(inner, (request) => {
      const node = number === 0 ? undefined : nodeOfPatch(request);
      return node === undefined ? inner.send(request) : pretend(inner, node, request);
    }),
};
