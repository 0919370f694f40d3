import type { Regression } from './regression.ts';

export const firstLeaderBehind: Regression = {
  seed: 'simulation/3393',
  found:
    'I8: a first leader, before which nobody led, gave out blocks on a cache that was behind a node that ' +
    'had registered with podCIDRs.',
};
