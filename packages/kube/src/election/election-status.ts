/**
 * What health checks ask about an election. A standby is healthy whatever happens to the Lease; a
 * leader is not once it has gone on far beyond its Lease, which only a process that hangs can do.
 */
import type { ElectionTimings } from './timings.ts';

export interface ElectionStatus {
  readonly role: 'leader' | 'standby';
  /** Who was last seen to hold the Lease. */
  readonly leader: string | undefined;
  /** A leader's: since the sending of its last good renewal. A standby's: since the record changed. */
  readonly leaseAgeMs: number | undefined;
  readonly isHealthy: boolean;
}

/** How far beyond the lease duration upstream's managers still call themselves healthy. */
export const lateRenewalMsMax = 20_000;

export function statusOf(facts: {
  readonly timings: ElectionTimings;
  readonly leader: string | undefined;
  /** There while leading. */
  readonly renewalAgeMs: number | undefined;
  readonly recordAgeMs: number | undefined;
}): ElectionStatus {
  const { leader, renewalAgeMs, recordAgeMs, timings } = facts;
  if (renewalAgeMs === undefined) {
    return { role: 'standby', leader, leaseAgeMs: recordAgeMs, isHealthy: true };
  }
  const isHealthy = renewalAgeMs <= timings.leaseDurationMs + lateRenewalMsMax;
  return { role: 'leader', leader, leaseAgeMs: renewalAgeMs, isHealthy };
}
