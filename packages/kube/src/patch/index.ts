export { addressPatch, type AddressPatchInput } from './address-patch.ts';
export { applyPatch, type ApplyOptions } from './apply-patch.ts';
export {
  conditionPatch,
  conditionPatchAt,
  type ConditionPatchInput,
  type StoredBefore,
} from './condition-patch.ts';
export type { GuardedPatch, JsonPatch, MergePatch, PatchOperation } from './guarded-patch.ts';
export { jsonPointer, type JsonPointer, valueAt } from './json-pointer.ts';
export { nodePatch, type NodePatchInput, type SeenNode } from './node-patch.ts';
export { podCIDRsPatch, type PodCIDRsPatchInput } from './pod-cidrs-patch.ts';
export type { PatchOutcome } from './patch-outcome.ts';
export {
  guardedAttemptsMax,
  type GuardedOutcome,
  type GuardedWrite,
  retryGuarded,
} from './retry-guarded.ts';
export type { Taint } from './taint-operations.ts';
