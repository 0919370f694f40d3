export { electionMetricTable } from './election-metrics.ts';
export {
  electionIdentity,
  type ElectionStatus,
  Elector,
  type Leadership,
  type ReleaseState,
} from './elector.ts';
export { NotLeadingError } from './fence.ts';
export { cloudControllerManagerLease, type Lease, type LeaseName, readLease } from './lease.ts';
export { leasesOf } from './lease-store.ts';
export {
  type ElectionTimings,
  findTimingProblems,
  lastWriteMs,
  upstreamTimings,
} from './timings.ts';
