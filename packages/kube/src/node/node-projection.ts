/**
 * What is kept of a node: what the controllers decide by, and nothing that a heartbeat changes. About
 * a kilobyte; images, managed fields, capacity, conditions other than Ready and NetworkUnavailable and
 * foreign annotations are never kept.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { ObjectFacts } from '../codec/object-reader.ts';

export interface NodeProjection extends ObjectFacts {
  /** Since the epoch. Kubernetes has whole seconds here. */
  readonly creationTimestampSeconds: number;
  readonly deletionTimestampSeconds: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** Only those of `isKeptAnnotation`. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Empty when the node has none. */
  readonly providerID: string;
  readonly podCIDRs: readonly string[];
  /** In the node's order: patches name taints by their index. */
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly addresses: readonly NodeAddress[];
  /** Undefined until kubelet has said anything. */
  readonly ready: ReadyCondition | undefined;
  /** Undefined until a route controller or a network plugin has written it. */
  readonly networkUnavailable: NetworkCondition | undefined;
  /** Another one after each boot: a machine that came back is not the one that was looked up. */
  readonly bootID: string;
  /** What the machine's firmware calls it: some clouds know their machines by it. */
  readonly systemUUID: string;
}

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

export interface ReadyCondition {
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly lastTransitionSeconds: number;
}

export interface NetworkCondition {
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** Tells who wrote it: route controllers and network plugins each have their own reasons. */
  readonly reason: string;
}

/** The operator's own annotations, and what kubelet asks for. */
export function isKeptAnnotation(key: string): boolean {
  return key.startsWith('tandem.dev/') || key === 'alpha.kubernetes.io/provided-node-ip';
}
