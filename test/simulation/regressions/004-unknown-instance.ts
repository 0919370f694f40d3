import type { Regression } from './regression.ts';

export const unknownInstance: Regression = {
  seed: 'simulation/444',
  found:
    'P2: a node of another owner, whose family the cloud cannot route, was said to be available before ' +
    'any look-up had told whose it is.',
};
