/**
 * The state of an election for health checks. A standby is always healthy. A leader is unhealthy once it
 * has continued far beyond its Lease, which only a hanging process can do.
 */
import type { ElectionTimings } from './timings.ts';

export interface ElectionStatus {
  readonly role: 'leader' | 'standby';
  /** The last observed holder of the Lease. */
  readonly leader: string | undefined;
  /** Leader: the time since it sent its last good renewal. Standby: since the record changed. */
  readonly leaseAgeMs: number | undefined;
  readonly isHealthy: boolean;
}

/** How far beyond the lease duration upstream's managers still report healthy. */
const lateRenewalMsMax = 20_000;

export function statusOf(facts: {
  readonly timings: ElectionTimings;
  readonly leader: string | undefined;
  /** Set while leading. */
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
