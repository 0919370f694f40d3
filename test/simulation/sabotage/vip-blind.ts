/** Does not know which addresses must never be node IPs (P2). */
import type { Sabotage } from '../world/index.ts';

export const vipBlind: Sabotage = {
  name: 'takes a VIP for an address of the machine',
  settings: (settings) => ({
    ...settings,
    addressRules: { ...settings.addressRules, exclusions: [] },
  }),
};
