/**
 * A node as far as the plan depends on it: a part of what the informer keeps, with labels and
 * annotations as records.
 */
import type { NodeAddress } from '../node-address/index.ts';
import type { NetworkCondition } from '../routes/index.ts';

export interface NodeFacts {
  readonly name: string;
  readonly uid: string;
  /** Since the epoch. Kubernetes has whole seconds here, so that two nodes may be of one age. */
  readonly creationTimestampSeconds: number;
  readonly labels: Labels;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string }[];
  /** Empty as long as the node has none. */
  readonly providerID: string;
  readonly addresses: readonly NodeAddress[];
  /** Empty as long as the node has none. */
  readonly podCIDRs: readonly string[];
  /** Undefined where the node has no such condition. */
  readonly networkUnavailable: NetworkCondition | undefined;
}

export interface NodeTaint {
  readonly key: string;
  readonly effect: string;
}

export type Labels = Readonly<Record<string, string>>;

/** Kubelet registers with it, and workloads stay away until it is gone. */
export const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized';

/** With the value `true`, or another word for it, no controller manages the node. */
export const pausedAnnotation = 'tandem.dev/paused';

/** Whether the taint is gone. Only its key counts, as in upstream. */
export function isInitialised({ taints }: Pick<NodeFacts, 'taints'>): boolean {
  return taints.every(({ key }) => key !== uninitializedTaint);
}

/** Other words for `true` count too: a Node that is deleted by mistake does not come back. */
export function isPausing(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|1)$/i.test(value);
}

export function isPaused({ annotations }: Pick<NodeFacts, 'annotations'>): boolean {
  return isPausing(annotations[pausedAnnotation]);
}
