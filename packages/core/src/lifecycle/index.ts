export {
  type AddShutdownTaint,
  type LifecycleAction,
  type RemoveShutdownTaint,
  shutdownTaint,
} from './action.ts';
export { type BrakeVerdict, countsForBrake, type Deletion, isRecent, judgeBrake } from './brake.ts';
export {
  type Evidence,
  type LifecycleAnswer,
  noEvidence,
  saysAbsent,
  withAnswer,
} from './evidence.ts';
export {
  deletionMark,
  memoryAnnotation,
  memoryText,
  readMemory,
  type Remembered,
} from './recorded-deletions.ts';
export { autoscalerTaint, isReady, karpenterTaints, type LifecycleNode } from './node.ts';
export { type LifecycleOutcome, type LifecyclePlan, planLifecycle } from './plan.ts';
export { exampleRelease, readRelease, type Release, releaseAnnotation } from './release.ts';
export { type BrakeSettings, type LifecycleSettings } from './settings.ts';
