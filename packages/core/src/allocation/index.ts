export {
  findPodCIDRProblems,
  type PodCIDRFinding,
  type PodCIDRFindingCode,
  podCIDRFindingCodes,
} from './finding.ts';
export {
  type Holder,
  type Holding,
  PodCIDRLedger,
  type RangeCounts,
  type Released,
  type Reserved,
  type Search,
} from './ledger.ts';
export { type Claim, OverlapIndex } from './overlap-index.ts';
export {
  type AllocationNode,
  type AllocationSettings,
  type PodCIDROutcome,
  type PodCIDRPlan,
  planPodCIDRs,
} from './plan.ts';
export {
  chosenBlocks,
  type CloudBlocks,
  type CloudPlanInput,
  planPodCIDRsFromCloud,
} from './plan-from-cloud.ts';
export { cidrsOf, type PodCIDR, readPodCIDR } from './pod-cidrs.ts';
export { familiesOf, findPool, type PodCIDRPool, type PoolRange, poolText } from './pool.ts';
export {
  coversAllBlocks,
  defaultSizeProblem,
  familiesProblem,
  findOverlaps,
  flagPoolName,
  nodeMaskSizeDefaults,
  sizeProblem,
  unusableProblem,
} from './range-rules.ts';
