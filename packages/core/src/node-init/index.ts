export type { NodeAction } from './action.ts';
export { type Claimant, findLostClaim } from './claim.ts';
export type { CloudAnswer, CloudInstance } from './cloud-answer.ts';
export { cloudLabels } from './labels.ts';
export { networkUnavailableTaint, type RouteRules } from './network-mark.ts';
export { type NodeRefusal, type NodeRefusalCode, nodeRefusals } from './node-refusal.ts';
export {
  isInitialised,
  isPaused,
  isPausing,
  type NodeFacts,
  pausedAnnotation,
  uninitializedTaint,
} from './node.ts';
export { type NodeOutcome, type NodePlan, planNode } from './plan.ts';
export { type RefusedWrite, refusedWriteIdentity, writeRefused } from './refused-write.ts';
export type { NodeSettings } from './settings.ts';
