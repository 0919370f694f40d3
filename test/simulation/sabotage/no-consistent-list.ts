/** Hands out blocks by a cache that may be behind what the leader before it has written (I8). */
import { Informer } from '@tandem/kube/informer';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const noConsistentList: Sabotage = {
  name: 'allocates without a consistent list of nodes',
  replace: () => replaceMethod(Informer.prototype, 'catchUp', () => () => Promise.resolve()),
};
