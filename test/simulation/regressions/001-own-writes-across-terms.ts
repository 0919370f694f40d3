import type { Regression } from './regression.ts';

export const ownWritesAcrossTerms: Regression = {
  seed: 'simulation/207',
  found:
    'P5: a manager that lost its Lease and won it again while its watch was behind decided on a cache ' +
    'older than its own writes, because what it had written was forgotten with the term, and wrote ' +
    'the same addresses to initialised nodes once more.',
};
