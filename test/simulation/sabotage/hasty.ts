/** Deletes a node on the first absent answers, however close together (P3). */
import type { Sabotage } from '../world/index.ts';

export const hasty: Sabotage = {
  name: 'waits for no grace before it deletes',
  flags: ['--node-deletion-grace=0s'],
};
