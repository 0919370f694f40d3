import type { Regression } from './regression.ts';

export const returnedBlock: Regression = {
  seed: 'simulation/2821',
  found:
    'I6: a node came back with the podCIDRs that it had. The routes to them stayed, and with them the ' +
    'hold of its predecessor, so that the block counted as in doubt for good.',
};
