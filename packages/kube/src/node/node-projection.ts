/**
 * What is kept of a node: what the controllers decide by, and nothing that a heartbeat changes. About
 * a kilobyte; images, managed fields, capacity, conditions other than Ready and NetworkUnavailable and
 * foreign annotations are never kept.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import { Interner } from '../codec/interner.ts';
import type { ObjectFacts } from '../codec/object-reader.ts';
import { isSameTexts, type Pairs } from '../codec/pairs.ts';

export interface NodeProjection extends ObjectFacts {
  /** Since the epoch. Kubernetes has whole seconds here. */
  readonly creationTimestampSeconds: number;
  readonly deletionTimestampSeconds: number | undefined;
  readonly labels: Pairs;
  /** Only those of `isKeptAnnotation`. */
  readonly annotations: Pairs;
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

/** Whether all but the resourceVersion is the same. */
export function isSameNode(a: NodeProjection, b: NodeProjection): boolean {
  return (
    a.name === b.name &&
    a.uid === b.uid &&
    a.creationTimestampSeconds === b.creationTimestampSeconds &&
    a.deletionTimestampSeconds === b.deletionTimestampSeconds &&
    a.providerID === b.providerID &&
    a.unschedulable === b.unschedulable &&
    a.bootID === b.bootID &&
    a.systemUUID === b.systemUUID &&
    isSameReady(a.ready, b.ready) &&
    isSameNetwork(a.networkUnavailable, b.networkUnavailable) &&
    isSameTexts(a.labels, b.labels) &&
    isSameTexts(a.annotations, b.annotations) &&
    isSameTexts(a.podCIDRs, b.podCIDRs) &&
    isSameTaints(a.taints, b.taints) &&
    isSameAddresses(a.addresses, b.addresses)
  );
}

/** The newer projection, with the older one's parts wherever they are equal. */
export function reuseNode(versions: {
  readonly before: NodeProjection;
  readonly after: NodeProjection;
}): NodeProjection {
  const { before, after } = versions;
  return {
    name: sameText(before.name, after.name),
    uid: sameText(before.uid, after.uid),
    resourceVersion: after.resourceVersion,
    creationTimestampSeconds: after.creationTimestampSeconds,
    deletionTimestampSeconds: after.deletionTimestampSeconds,
    labels: isSameTexts(before.labels, after.labels) ? before.labels : after.labels,
    annotations: isSameTexts(before.annotations, after.annotations)
      ? before.annotations
      : after.annotations,
    providerID: sameText(before.providerID, after.providerID),
    podCIDRs: isSameTexts(before.podCIDRs, after.podCIDRs) ? before.podCIDRs : after.podCIDRs,
    taints: isSameTaints(before.taints, after.taints) ? before.taints : after.taints,
    unschedulable: after.unschedulable,
    addresses: isSameAddresses(before.addresses, after.addresses)
      ? before.addresses
      : after.addresses,
    ready: isSameReady(before.ready, after.ready) ? before.ready : after.ready,
    networkUnavailable: isSameNetwork(before.networkUnavailable, after.networkUnavailable)
      ? before.networkUnavailable
      : after.networkUnavailable,
    bootID: sameText(before.bootID, after.bootID),
    systemUUID: sameText(before.systemUUID, after.systemUUID),
  };
}

/** Equal texts can be two copies in memory: the one that is held already is given back. */
function sameText(held: string, text: string): string {
  return held === text ? held : text;
}

function isSameReady(a: ReadyCondition | undefined, b: ReadyCondition | undefined): boolean {
  return a?.status === b?.status && a?.lastTransitionSeconds === b?.lastTransitionSeconds;
}

function isSameNetwork(a: NetworkCondition | undefined, b: NetworkCondition | undefined): boolean {
  return a?.status === b?.status && a?.reason === b?.reason;
}

function isSameTaints(a: readonly Taint[], b: readonly Taint[]): boolean {
  return isSameList(a, b, isSameTaint);
}

function isSameTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.value === b.value && a.effect === b.effect;
}

function isSameAddresses(a: readonly NodeAddress[], b: readonly NodeAddress[]): boolean {
  return isSameList(a, b, isSameAddress);
}

function isSameAddress(a: NodeAddress, b: NodeAddress): boolean {
  return a.type === b.type && a.address === b.address;
}

function isSameList<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (first: T, second: T) => boolean,
): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    const first = a[index];
    const second = b[index];
    if (first === undefined || second === undefined || !isSame(first, second)) return false;
  }
  return true;
}

/**
 * What the nodes of a cluster have in common and is therefore kept once: texts, and whole lists of
 * taints, which are the same for most of them.
 */
export class SharedParts {
  readonly texts: Interner = new Interner();
  #taints: readonly Taint[] = [];

  /** The list of the node before where it is equal, else a copy that has no room to spare. */
  taints(list: readonly Taint[]): readonly Taint[] {
    if (!isSameTaints(this.#taints, list)) this.#taints = list.slice();
    return this.#taints;
  }
}
