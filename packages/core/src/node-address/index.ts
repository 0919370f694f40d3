export {
  type CloudAddress,
  isSameList,
  type NodeAddress,
  nodeAddressTypes,
  readAddresses,
  withoutDuplicates,
} from './address-list.ts';
export { areExcluded, type ExcludedEntry, whichAreExcluded } from './excluded-words.ts';
export { exclude, type ExcludedAddress, type Exclusion, losesToExclusion } from './exclusion.ts';
export { explainAddresses, type Explanation } from './explain.ts';
export { carryOverHostnames } from './hostname.ts';
export { type KubeletKind, type KubeletOutcome, runKubelet } from './kubelet.ts';
export { labelKeyProblem, labelValueProblem } from './label-syntax.ts';
export {
  findPolicy,
  type LabelExpression,
  type LabelSelector,
  matchesSelector,
  type NodeIPPolicy,
} from './policy.ts';
export { type Refusal, type RequestRefusalCode, requestRefusals } from './refusal.ts';
export {
  type Gates,
  parseRequest,
  type ParsedRequest,
  type Request,
  type Token,
} from './request.ts';
export { type Resolution, resolveAddresses, type ResolveInput } from './resolve.ts';
export {
  describeDisagreement,
  findRequest,
  kubeletAnnotation,
  operatorAnnotation,
  type RequestingNode,
  requestsDifferReason,
  type SourcedRequest,
} from './source.ts';
export { nodeIPsOf, type Stack, stackOf } from './stack.ts';
export { type Problem, readVips, type VipSettings } from './vips.ts';
export { enumerate, printable, quote, quoteIdentifier } from './wording.ts';
