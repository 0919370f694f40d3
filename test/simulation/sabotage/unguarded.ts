/** Writes pod CIDRs to whoever has the name, whether or not it has some (I3). */
import type { Sabotage } from '../world/index.ts';
import { changedAssignments } from './wrap-transport.ts';

export const unguarded: Sabotage = {
  name: 'writes pod CIDRs without guards',
  transport: (inner) =>
    changedAssignments(inner, (operations) => operations.filter(({ op }) => op !== 'test')),
};
