/** Hands out blocks of service ranges (I2). */
import type { Sabotage } from '../world/index.ts';

export const serviceBlind: Sabotage = {
  name: 'takes service ranges for free',
  flags: ['--service-cluster-ip-range='],
};
