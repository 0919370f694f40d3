export { applyPatch, type ApplyOptions } from './apply-patch.ts';
export type { GuardedPatch, JsonPatch, MergePatch, PatchOperation } from './guarded-patch.ts';
export { jsonPointer, type JsonPointer, valueAt } from './json-pointer.ts';
export type { PatchOutcome } from './patch-outcome.ts';
