/** Begins a term on the cache of a standby, which may be behind the writes of whoever led before (P2). */
import type { Sabotage } from '../world/index.ts';
import { noConsistentList } from './no-consistent-list.ts';

export const noTermList: Sabotage = {
  ...noConsistentList,
  name: 'begins a term without a consistent list of nodes',
};
