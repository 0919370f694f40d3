/**
 * The facts about a node that the plan depends on: a part of the informer's projection, with labels
 * and annotations as records.
 */
import type { NodeAddress } from '../node-address/index.ts';
import type { NetworkCondition } from '../routes/index.ts';

export interface NodeFacts {
  readonly name: string;
  readonly uid: string;
  /** Since the epoch. Kubernetes has whole seconds here, so two nodes may have the same age. */
  readonly creationTimestampSeconds: number;
  readonly labels: Labels;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string }[];
  /** Empty as long as the node has none. */
  readonly providerID: string;
  readonly addresses: readonly NodeAddress[];
  /** Empty as long as the node has none. */
  readonly podCIDRs: readonly string[];
  /** Undefined if the node has no such condition. */
  readonly networkUnavailable: NetworkCondition | undefined;
}

export interface NodeTaint {
  readonly key: string;
  readonly effect: string;
}

export type Labels = Readonly<Record<string, string>>;

/** Kubelet registers its node with this taint, and workloads stay away until it is removed. */
export const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';

/** With the value `true` or a synonym, no controller manages the node. */
export const pausedAnnotation = 'tandem.dev/paused';

/** Whether the node lacks the uninitialized taint. Only the key counts, as in upstream. */
export function isInitialised({ taints }: Pick<NodeFacts, 'taints'>): boolean {
  return taints.every(({ key }) => key !== uninitializedTaint);
}

/** Synonyms of `true` count too, because a Node that is deleted by mistake does not come back. */
export function isPausing(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|1)$/i.test(value);
}

export function isPaused({ annotations }: Pick<NodeFacts, 'annotations'>): boolean {
  return isPausing(annotations[pausedAnnotation]);
}
