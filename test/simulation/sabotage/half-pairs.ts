/** Writes the first of two pod CIDRs alone (I4). */
import type { Sabotage } from '../world/index.ts';
import { changedAssignments } from './wrap-transport.ts';

export const halfPairs: Sabotage = {
  name: 'writes one of two families',
  transport: (inner) =>
    changedAssignments(inner, (operations) =>
      operations.map((one) =>
        Array.isArray(one.value) ? { ...one, value: one.value.slice(0, 1) } : one,
      ),
    ),
};
