export {
  type CloudAddress,
  isSameList,
  type NodeAddress,
  nodeAddressTypes,
  readAddresses,
  withoutDuplicates,
} from './address-list.ts';
export { areExcluded, whichAreExcluded } from './excluded-words.ts';
export { exclude, type ExcludedAddress, type Exclusion, losesToExclusion } from './exclusion.ts';
export { explainAddresses, type Explanation } from './explain.ts';
export { carryOverHostnames } from './hostname.ts';
export { type KubeletKind, type KubeletOutcome, runKubelet } from './kubelet.ts';
export { labelKeyProblem, labelValueProblem } from './label-syntax.ts';
export {
  type LabelExpression,
  type LabelSelector,
  matchesSelector,
  type NodeIPPolicy,
} from './policy.ts';
export { type Refusal, requestRefusals } from './refusal.ts';
export { type Gates, parseRequest } from './request.ts';
export { resolveAddresses, type ResolveInput } from './resolve.ts';
export {
  describeDisagreement,
  findRequest,
  kubeletAnnotation,
  operatorAnnotation,
  requestsDifferReason,
  type SourcedRequest,
} from './source.ts';
export { nodeIPsOf, type Stack, stackOf } from './stack.ts';
export { readVips, type VipSettings } from './vips.ts';
export { enumerate, printable, quote, quoteIdentifier } from './wording.ts';
