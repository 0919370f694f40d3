/** Takes a node that only its label tells apart for one of this cloud's, whose machine is gone. */
import type { Sabotage } from '../world/index.ts';

export const labelBlind: Sabotage = {
  name: 'takes unmanaged nodes for its own',
  provider: (inner) => ({
    ...inner,
    lookup: (nodes, options) =>
      inner.lookup(
        nodes.map((node) => ({ ...node, labels: {} })),
        options,
      ),
  }),
};
