export { addressPatch } from './address-patch.ts';
export { conditionPatch, conditionPatchAt, type StoredBefore } from './condition-patch.ts';
export { nodePatch, type SeenNode } from './node-patch.ts';
export { type NodeProjection } from './node-projection.ts';
export { createNodeReader } from './node-reader.ts';
export { nodeResource } from './node-resource.ts';
export type { NewTaint } from './taint-operations.ts';
export { podCIDRsPatch } from './pod-cidrs-patch.ts';
