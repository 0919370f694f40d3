import type { Regression } from './regression.ts';

export const goneWhileWaiting: Regression = {
  seed: 'simulation/9570',
  found:
    'I7: a leader that had lost its Lease and won it again gave out a block of a node that went while the first ' +
    'allocation waited, before a list showed that no route leads to it.',
};
