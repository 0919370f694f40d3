/**
 * The last observed Lease and since when its record is unchanged. A record is valid for its own duration
 * from the moment it was *seen* to change, on the observer's monotonic clock. No clock of another machine
 * is trusted, and `renewTime` is never compared.
 */
import { isOlder } from '../codec/object-reader.ts';
import type { Lease } from './lease.ts';

export interface Observation {
  readonly lease: Lease;
  /** When the record was first seen in this form, on the monotonic clock. */
  readonly sinceMs: number;
}

/** Takes in a Lease. Only a change of its record restarts the validity. */
export function observe(
  previous: Observation | undefined,
  lease: Lease,
  atMs: number,
): Observation {
  const isSame = previous?.lease.recordText === lease.recordText;
  return { lease, sinceMs: isSame ? previous.sinceMs : atMs };
}

/** How long the record is still valid; 0 if it has no holder or has expired. */
export function remainingMs({ lease, sinceMs }: Observation, atMs: number): number {
  if (lease.holderIdentity === '') return 0;
  return Math.max(sinceMs + lease.leaseDurationMs - atMs, 0);
}

/** Whether the Lease is newer than the one last observed. A watch may lag. */
export function isLater(lease: Lease, { lease: known }: Observation): boolean {
  return isOlder(known.resourceVersion, lease.resourceVersion);
}
