/** Writes the addresses that it wrote last once more whenever it renews its Lease (P5). */
import type { TransportRequest } from '@tandem/kube/transport';
import type { Sabotage } from '../world/index.ts';
import { nodeOfStatusPatch, withOperations, wrapped } from './wrap-transport.ts';

export const restless: Sabotage = {
  name: 'writes addresses again and again',
  transport(inner) {
    let last: TransportRequest | undefined;
    return wrapped(inner, async (request) => {
      // Without its guards: they would keep it from doing harm.
      if (nodeOfStatusPatch(request) !== undefined) {
        last = withOperations(request, (operations) =>
          operations.filter(({ op }) => op !== 'test'),
        );
      }
      const isRenewal = request.method === 'PUT' && request.path.includes('/leases/');
      if (isRenewal && last !== undefined) {
        await inner.send({ ...last, signal: request.signal }).catch(() => undefined);
      }
      return inner.send(request);
    });
  },
};
