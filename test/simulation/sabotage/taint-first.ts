/** Removes the taint first and writes the addresses afterwards, as upstream does (P1). */
import type { TransportRequest } from '@tandem/kube/transport';
import type { Sabotage } from '../world/index.ts';
import {
  nodeOfPatch,
  nodeOfStatusPatch,
  pretend,
  withOperations,
  wrapped,
} from './wrap-transport.ts';

export const taintFirst: Sabotage = {
  name: 'removes the taint before it writes the addresses',
  transport(inner) {
    const held = new Map<string, TransportRequest>();
    return wrapped(inner, async (request) => {
      const ofStatus = nodeOfStatusPatch(request);
      if (ofStatus !== undefined) {
        held.set(ofStatus, request);
        return pretend(inner, ofStatus, request);
      }
      const node = nodeOfPatch(request) ?? '';
      const late = held.get(node);
      if (late === undefined) return inner.send(request);
      held.delete(node);
      const answer = await inner.send(withOperations(request, withoutAddressGuard));
      await inner.send({ ...late, signal: request.signal });
      return answer;
    });
  },
};

function withoutAddressGuard<T extends { path: string }>(operations: readonly T[]): T[] {
  return operations.filter(({ path }) => path !== '/status/addresses');
}
