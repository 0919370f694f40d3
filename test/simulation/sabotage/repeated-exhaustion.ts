/** Says that a pool is exhausted again and again, each time by another event (I9). */
import type { Sabotage } from '../world/index.ts';
import { wrapped } from './wrap-transport.ts';

export const repeatedExhaustion: Sabotage = {
  name: 'tells of an exhausted pool more than once',
  transport: (inner) =>
    wrapped(inner, async (request) => {
      const isExhaustion =
        request.method === 'POST' && String(request.body).includes('CIDRNotAvailable');
      if (!isExhaustion) return inner.send(request);
      const { metadata, ...event } = JSON.parse(String(request.body));
      const again = { ...event, metadata: { ...metadata, name: `${metadata.name}.again` } };
      await inner.send({ ...request, body: JSON.stringify(again) }).catch(() => undefined);
      return inner.send(request);
    }),
};
