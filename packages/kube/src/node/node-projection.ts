/**
 * The fields of a node that the cache keeps: those that controllers use, and none that a heartbeat
 * changes. About a kilobyte. Images, managed fields, capacity, conditions other than Ready and
 * NetworkUnavailable, and foreign annotations are never kept.
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
  /** Undefined until the kubelet has reported it. */
  readonly ready: ReadyCondition | undefined;
  /** Undefined until a route controller or a network plugin has written it. */
  readonly networkUnavailable: NetworkCondition | undefined;
  /** Changes with each boot: a machine that has rebooted may not be the one that was looked up. */
  readonly bootID: string;
  /** The ID of the machine in its firmware. Some clouds identify their machines by it. */
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
  /** Shows the writer: route controllers and network plugins each have their own reasons. */
  readonly reason: string;
}

/** Annotations for Tandem, and the node IP that the kubelet requests. */
export function isKeptAnnotation(key: string): boolean {
  return key.startsWith('tandem.dev/') || key === 'alpha.kubernetes.io/provided-node-ip';
}
