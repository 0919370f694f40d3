export { applyPatch } from './apply-patch.ts';
export type { GuardedPatch } from './guarded-patch.ts';
export { jsonPointer, valueAt } from './json-pointer.ts';
export type { PatchOutcome } from './patch-outcome.ts';
