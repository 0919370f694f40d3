import type { Regression } from './regression.ts';

export const deadDefaultRoute: Regression = {
  seed: 'simulation/6',
  found:
    'I6: a dead default route overlaps every block of the pools. It is outside the cluster CIDRs, so ' +
    'nothing ever deletes it, and the blocks of nodes that were gone waited for it for ever.',
};
