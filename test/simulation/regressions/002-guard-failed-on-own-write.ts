import type { Regression } from './regression.ts';

export const guardFailedOnOwnWrite: Regression = {
  seed: 'simulation/9745',
  found:
    'P2: the answer of an initialisation was lost, and the read that followed it failed. Sent again, the ' +
    'patch met its own first effect and its guard failed, which was taken for "not stored": a rival that ' +
    'was decided about on a cache that was behind got the same instance.',
};
