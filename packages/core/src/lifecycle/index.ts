export {
  type AddShutdownTaint,
  type DeleteNode,
  type LifecycleAction,
  type RemoveShutdownTaint,
  shutdownTaint,
} from './action.ts';
export {
  type BrakeInput,
  type BrakeVerdict,
  countsForBrake,
  type Deletion,
  isRecent,
  judgeBrake,
} from './brake.ts';
export {
  type AbsentSpan,
  type Evidence,
  type EvidenceRules,
  type InstanceState,
  isAbout,
  type LifecycleAnswer,
  noEvidence,
  saysAbsent,
  withAnswer,
} from './evidence.ts';
export {
  deletionMark,
  type Memory,
  memoryAnnotation,
  memoryText,
  readMemory,
  type Remembered,
} from './recorded-deletions.ts';
export {
  autoscalerTaint,
  findBar,
  isLeaving,
  isOwned,
  isReady,
  karpenterTaints,
  type LifecycleNode,
  type Ownership,
  type Owns,
} from './node.ts';
export {
  type LifecycleInput,
  type LifecycleOutcome,
  type LifecyclePlan,
  planLifecycle,
} from './plan.ts';
export { exampleRelease, readRelease, type Release, releaseAnnotation } from './release.ts';
export { type BrakeSettings, lifecycleDefaults, type LifecycleSettings } from './settings.ts';
