export { addressPatch, type AddressPatchInput } from './address-patch.ts';
export {
  conditionPatch,
  conditionPatchAt,
  type ConditionPatchInput,
  type StoredBefore,
} from './condition-patch.ts';
export { nodePatch, type NodePatchInput, type SeenNode } from './node-patch.ts';
export {
  isKeptAnnotation,
  isSameNode,
  type NetworkCondition,
  type NodeProjection,
  type ReadyCondition,
  type Taint,
} from './node-projection.ts';
export { createNodeReader } from './node-reader.ts';
export { nodeResource } from './node-resource.ts';
export type { NewTaint } from './taint-operations.ts';
export { podCIDRsPatch, type PodCIDRsPatchInput } from './pod-cidrs-patch.ts';
