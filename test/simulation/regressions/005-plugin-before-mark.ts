import type { Regression } from './regression.ts';

export const pluginBeforeMark: Regression = {
  seed: 'simulation/374',
  found:
    'T7: a network plugin wrote the condition of a new node just before its addresses were written, ' +
    'unseen by the cache. The mark was guarded by the version that the addresses led to, and overwrote ' +
    'it.',
};
