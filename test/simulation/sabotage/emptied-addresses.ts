/** Leaves a node without addresses when it writes them a second time (P3). */
import type { Sabotage } from '../world/index.ts';
import { nodeOfStatusPatch, type Operation, withOperations, wrapped } from './wrap-transport.ts';

export const emptiedAddresses: Sabotage = {
  name: 'empties the addresses of a node that it has written before',
  transport(inner) {
    const written = new Set<string>();
    return wrapped(inner, (request) => {
      const node = nodeOfStatusPatch(request);
      if (node === undefined || !written.has(node)) {
        if (node !== undefined) written.add(node);
        return inner.send(request);
      }
      return inner.send(withOperations(request, (operations) => operations.map(emptied)));
    });
  },
};

function emptied(operation: Operation): Operation {
  return operation.op === 'test' ? operation : { ...operation, value: [] };
}
