/**
 * The sources of requests. A request can come from several sources, and the first in a fixed order
 * wins. The results of two sources are compared only to report a disagreement.
 */
import { isSameList } from './address-list.ts';
import { areExcluded } from './excluded-words.ts';
import { findPolicy, type NodeIPPolicy } from './policy.ts';
import { resolveAddresses, type ResolveInput } from './resolve.ts';
import { quote } from './wording.ts';

/** The annotation by which the operator requests node IPs. */
export const operatorAnnotation = 'tandem.dev/node-ip';
/** The annotation that kubelet writes for `--node-ip`. */
export const kubeletAnnotation = 'alpha.kubernetes.io/provided-node-ip';

export interface SourcedRequest {
  readonly value: string;
  /** An annotation's key, or `nodeIPPolicies/` and the policy's name. */
  readonly source: string;
}

export interface RequestingNode {
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Returns the request that counts, or null. A policy that overrides kubelet ranks before kubelet's
 * annotation and thus before every policy that does not. A present but empty annotation counts.
 */
export function findRequest(
  { annotations, labels }: RequestingNode,
  policies: readonly NodeIPPolicy[],
): SourcedRequest | null {
  const fromAnnotation = (key: string): SourcedRequest | undefined => {
    const value = annotations[key];
    return value === undefined ? undefined : { value, source: key };
  };
  const fromPolicy = (rank: 'before kubelet' | 'after kubelet'): SourcedRequest | undefined => {
    const isOfRank = (policy: NodeIPPolicy): boolean =>
      policy.overridesKubelet === (rank === 'before kubelet');
    const policy = findPolicy(policies.filter(isOfRank), labels);
    return policy && { value: policy.request, source: `nodeIPPolicies/${policy.name}` };
  };
  return (
    fromAnnotation(operatorAnnotation) ??
    fromPolicy('before kubelet') ??
    fromAnnotation(kubeletAnnotation) ??
    fromPolicy('after kubelet') ??
    null
  );
}

/** The event reason for annotations with different results. */
export const requestsDifferReason = 'NodeIPRequestsDiffer';

/**
 * The message if the operator's annotation and kubelet's give different results. Null if they do
 * not, and also if the operator's request is refused, because the refusal then has its own message.
 */
export function describeDisagreement(
  annotations: Readonly<Record<string, string>>,
  given: Omit<ResolveInput, 'request'>,
): string | null {
  const operators = annotations[operatorAnnotation];
  const kubelets = annotations[kubeletAnnotation];
  if (operators === undefined || kubelets === undefined || operators === kubelets) return null;
  const used = resolveAddresses({ ...given, request: operators });
  if (used.kind === 'refused') return null;
  const unused = resolveAddresses({ ...given, request: kubelets });
  if (unused.kind === 'resolved' && isSameList(used.addresses, unused.addresses)) return null;
  const { excluded } = used;
  const aside = excluded.length === 0 ? '' : ` ${areExcluded(excluded)}.`;
  return `${operatorAnnotation} ${quote(operators)} overrides ${kubeletAnnotation} ${quote(kubelets)}, which the kubelet set from its --node-ip. The two give different results. Make them agree or remove one.${aside}`;
}
