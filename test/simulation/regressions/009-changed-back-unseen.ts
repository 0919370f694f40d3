import type { Regression } from './regression.ts';

export const changedBackUnseen: Regression = {
  seed: 'simulation/5352',
  found:
    'ESR: a node was read live while it was paused, and was no longer paused when the late watch caught up, so ' +
    'that no change was told and the node stayed tainted.',
};
