/** What the oracle reads of a stored node. Nothing is parsed or copied: it looks at every write. */
import type { NodeAddress } from '@tandem/core/node-address';
import type { StoredObject } from '@tandem/devcluster/store';

export interface StoredNode {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly providerID?: string;
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
    readonly taints?: readonly { readonly key: string }[];
  };
  readonly status: {
    readonly addresses?: readonly NodeAddress[];
    readonly conditions?: readonly StoredCondition[];
  };
}

export interface StoredCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

/** A node as it is stored; the model has validated it before. */
export function nodeOf(object: StoredObject | undefined): StoredNode | undefined {
  if (object === undefined || isStoredNode(object)) return object;
  throw new Error(`a node without spec or status was stored: ${JSON.stringify(object)}`);
}

function isStoredNode(object: object): object is StoredNode {
  return 'spec' in object && 'status' in object;
}

export function isTainted({ spec }: StoredNode): boolean {
  const { taints = [] } = spec;
  for (const { key } of taints)
    if (key === 'node.cloudprovider.kubernetes.io/uninitialized') return true;
  return false;
}

/** Of several that are one machine the initialised one holds it, else the oldest: it has the lowest. */
export function rankOf(node: StoredNode): string {
  const { uid, creationTimestamp } = node.metadata;
  return `${isTainted(node) ? 'b' : 'a'} ${creationTimestamp} ${uid}`;
}

export function podCIDRsOf({ spec }: StoredNode): readonly string[] {
  return spec.podCIDRs ?? [];
}

export function isReady({ status }: StoredNode): boolean {
  const { conditions = [] } = status;
  return conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True');
}

/** What the node says of its network; an error where it says so twice. */
export function networkConditionOf({ status, metadata }: StoredNode): StoredCondition | undefined {
  const { conditions = [] } = status;
  const [first, second] = conditions.filter(({ type }) => type === 'NetworkUnavailable');
  if (second !== undefined) throw new Error(`${metadata.name} has NetworkUnavailable twice`);
  return first;
}

export function hasNetworkTaint({ spec }: StoredNode): boolean {
  const { taints = [] } = spec;
  return taints.some(({ key }) => key === 'node.kubernetes.io/network-unavailable');
}

/** Whose wish counts, by the order of the sources. */
export function requestOf({ metadata }: StoredNode): string | null {
  const { annotations = {} } = metadata;
  return (
    annotations['tandem.dev/node-ip'] ?? annotations['alpha.kubernetes.io/provided-node-ip'] ?? null
  );
}

/** `InternalIP 10.0.0.1` and so on, names left out. */
export function textsOf(addresses: readonly NodeAddress[] | undefined): string[] {
  const texts: string[] = [];
  for (const { type, address } of addresses ?? [])
    if (type !== 'Hostname') texts.push(`${type} ${address}`);
  return texts;
}
