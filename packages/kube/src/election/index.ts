export { masterStatus, slowPathTotal } from './election-metrics.ts';
export { type ElectionStatus, lateRenewalMsMax } from './election-status.ts';
export {
  createElector,
  type ElectionCallbacks,
  type Elector,
  type ElectorOptions,
} from './elector.ts';
export { clockJumpMsMax, NotLeadingError } from './fence.ts';
export { electionIdentity } from './identity.ts';
export { cloudControllerManagerLease, type LeaseName } from './lease.ts';
export {
  type ElectionTimings,
  findTimingProblems,
  retryJitterFactor,
  upstreamTimings,
  writeLimitMs,
} from './timings.ts';
