/**
 * What an elector last saw of the Lease, and since when. A record counts for its own duration from the
 * moment it was *seen* to change, on the observer's own monotonic clock: no clock of another machine
 * is trusted, and `renewTime` is never compared with anything.
 */
import { isOlder } from '../codec/object-reader.ts';
import type { Lease } from './lease.ts';

export interface Observation {
  readonly lease: Lease;
  /** When the record was first seen as it is, on the monotonic clock. */
  readonly sinceMs: number;
}

/** Takes note of a Lease. Any change of its record restarts the validity; nothing else does. */
export function observe(
  previous: Observation | undefined,
  lease: Lease,
  atMs: number,
): Observation {
  const isSame = previous?.lease.recordText === lease.recordText;
  return { lease, sinceMs: isSame ? previous.sinceMs : atMs };
}

/** How long other electors must still leave the Lease alone; 0 when it has no holder or the holder is late. */
export function remainingMs({ lease, sinceMs }: Observation, atMs: number): number {
  if (lease.holderIdentity === '') return 0;
  return Math.max(sinceMs + lease.leaseDurationMs - atMs, 0);
}

/** Whether a watch, which may lag, tells something later than what was read before. */
export function isLater(lease: Lease, { lease: known }: Observation): boolean {
  return isOlder(known.resourceVersion, lease.resourceVersion);
}
