/** Deletes a node on the first absent answers, however close together (P3). */
import type { Sabotage } from '../world/index.ts';

export const hasty: Sabotage = {
  name: 'waits for no grace before it deletes',
  settings: (settings) => ({ ...settings, lifecycle: { ...settings.lifecycle, graceMs: 0 } }),
};
