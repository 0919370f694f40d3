export { masterStatus, slowPathTotal } from './election-metrics.ts';
export { type ElectionStatus, lateRenewalMsMax } from './election-status.ts';
export {
  type ElectionCallbacks,
  electionIdentity,
  Elector,
  type ElectorOptions,
  type Leadership,
  type ReleaseState,
} from './elector.ts';
export type { Predecessor } from './claim.ts';
export { clockJumpMsMax, NotLeadingError } from './fence.ts';
export { cloudControllerManagerLease, type LeaseName } from './lease.ts';
export { leasesOf } from './lease-store.ts';
export {
  type ElectionTimings,
  findTimingProblems,
  lastWriteMs,
  retryJitterFactor,
  upstreamTimings,
  writeLimitMs,
} from './timings.ts';
