import type { Regression } from './regression.ts';

export const outdatedVerdict: Regression = {
  seed: 'simulation/624',
  found:
    'T5: the next hop of a node changed after a pass had read it. The condition was written at the ' +
    'version that the node had by then, on routes to its old address.',
};
