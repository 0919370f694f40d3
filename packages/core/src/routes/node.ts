/** The facts about a node that its routes depend on. */
import { type Cidr, containsCidr, type Family, type IpAddress } from '../ip/index.ts';
import { type NodeAddress, readAddresses } from '../node-address/index.ts';

export interface RoutedNode {
  readonly name: string;
  readonly uid: string;
  readonly podCIDRs: readonly string[];
  /** Undefined while the instance is unknown or does not exist. */
  readonly instance: RoutedInstance | undefined;
  /** Why the instance is unknown: the message of the failed look-up. */
  readonly lookupFailure?: string | undefined;
  readonly internalIPs: InternalIPs;
  /** False if the node has no providerID yet, or belongs to another cloud or to none. */
  readonly isOurs: boolean;
  /** The Node that holds the same instance instead of this one (P2). */
  readonly holder: string | undefined;
  /** Whether `routes.selector` matches its labels. */
  readonly isSelected: boolean;
  readonly isPaused: boolean;
  /** Whether it has a deletionTimestamp. */
  readonly isDeleting: boolean;
}

export interface RoutedInstance {
  /** The canonical key. Compared as text and never shown. */
  readonly key: string;
  /** The networks that the cloud routes to the instance by itself. */
  readonly podBlocks: Readonly<Record<Family, readonly string[]>>;
}

/** The next hops of a node. */
export type InternalIPs = Readonly<Partial<Record<Family, IpAddress>>>;

/** The first InternalIP of each family. */
export function internalIPsOf(addresses: readonly NodeAddress[]): InternalIPs {
  const found: Partial<Record<Family, IpAddress>> = {};
  for (const { type, ip } of readAddresses(addresses)) {
    if (type === 'InternalIP' && ip !== undefined) found[ip.family] ??= ip;
  }
  return found;
}

/**
 * Why the routes of a node stay unchanged. A node with a deletionTimestamp keeps its routes,
 * because its pods run until they are drained, and gets no others, because its instance may
 * disappear at any time.
 */
export function findBar(
  node: Pick<RoutedNode, 'isOurs' | 'holder' | 'isSelected' | 'isPaused' | 'isDeleting'>,
): string | undefined {
  if (!node.isOurs) return 'the node does not belong to this cloud';
  if (node.holder !== undefined) return `Node ${node.holder} holds the instance of the node`;
  if (!node.isSelected) return 'routes.selector does not match the labels of the node';
  if (node.isPaused) return 'the node is paused';
  return node.isDeleting ? 'the Node is being deleted' : undefined;
}

export function isInside(networks: readonly Cidr[], cidr: Cidr): boolean {
  return networks.some((network) => containsCidr(network, cidr));
}
