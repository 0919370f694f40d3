/** The route that one podCIDR of a node needs, or the reason why it needs none. */
import { readPodCIDR } from '../allocation/index.ts';
import {
  type Cidr,
  compareCidrs,
  type Family,
  formatCidr,
  type IpAddress,
  overlaps,
} from '../ip/index.ts';
import { enumerate, printable } from '../node-address/index.ts';
import type { Obstacle, RouteFindingCode } from './finding.ts';
import { isInside, type RoutedNode } from './node.ts';

export type RouteNeed =
  | { readonly kind: 'wanted'; readonly want: WantedRoute }
  /** Other nodes have some of its addresses. Without `want` its target is unknown. */
  | { readonly kind: 'shared'; readonly want: WantedRoute | undefined; readonly obstacle: Obstacle }
  /** It cannot have a route. */
  | { readonly kind: 'refused'; readonly obstacle: Obstacle }
  /** The routes of its node stay unchanged. */
  | { readonly kind: 'barred' }
  | { readonly kind: 'routedByCloud' }
  /** The cloud cannot have the route, so no node is unavailable without it. */
  | { readonly kind: 'notRoutable'; readonly family: Family };

/** A destination that must have a route to a node. */
export interface WantedRoute {
  readonly node: RoutedNode;
  readonly destination: Cidr;
  /** The destination in its canonical spelling: equal texts are equal values. */
  readonly text: string;
  /** Of the node's instance. */
  readonly key: string;
  /** The node's InternalIP of the family. */
  readonly nextHop: IpAddress;
}

/** The destinations that may be routed. Routes to others are never changed (T3). */
export interface RouteScope {
  readonly clusterCIDRs: readonly Cidr[];
  /** The ranges of the cluster's Services, if they are known. */
  readonly serviceRanges?: readonly Cidr[];
  /** The families that the cloud can route. */
  readonly families: readonly Family[];
}

/** The podCIDRs of a node as values. */
export interface PodNetworks {
  /** Without duplicates, in their order. */
  readonly networks: readonly Cidr[];
  /** The texts of podCIDRs that are not networks. */
  readonly invalid: readonly string[];
}

/**
 * Caches the result as long as the list is in use: the podCIDRs of a node are the same object until
 * they change, and every plan would otherwise parse those of thousands of nodes again.
 */
export function podNetworksOf(texts: readonly string[]): PodNetworks {
  if (texts.length === 0) return noNetworks;
  const known = knownNetworks.get(texts);
  if (known !== undefined) return known;
  const read = readNetworks(texts);
  knownNetworks.set(texts, read);
  return read;
}

const noNetworks: PodNetworks = { networks: [], invalid: [] };
const knownNetworks = new WeakMap<readonly string[], PodNetworks>();

function readNetworks(texts: readonly string[]): PodNetworks {
  const read = texts.map(readPodCIDR);
  const networks = read.flatMap(({ cidr }) => cidr ?? []).toSorted(compareCidrs);
  return {
    networks: networks.filter((one, index) => {
      const before = networks[index - 1];
      return before === undefined || compareCidrs(before, one) !== 0;
    }),
    invalid: read.flatMap(({ text, cidr }) => (cidr === undefined ? [text] : [])).toSorted(),
  };
}

/** The canonical spelling, which is cached like the network itself. */
function textOf(network: Cidr): string {
  const known = knownTexts.get(network);
  if (known !== undefined) return known;
  const text = formatCidr(network);
  knownTexts.set(network, text);
  return text;
}

const knownTexts = new WeakMap<Cidr, string>();

export interface NeedContext extends RouteScope {
  /** The names of other nodes that have some of the network's addresses. */
  readonly sharers: readonly string[];
}

export function needOf(
  node: RoutedNode,
  network: Cidr,
  { clusterCIDRs, serviceRanges = [], families, sharers }: NeedContext,
): RouteNeed {
  const { family } = network.network;
  if (!families.includes(family)) return { kind: 'notRoutable', family };
  const { instance, internalIPs } = node;
  const blocks = podNetworksOf(instance?.podBlocks[family] ?? []).networks;
  if (isInside(blocks, network)) return { kind: 'routedByCloud' };
  const text = textOf(network);
  if (!isInside(clusterCIDRs, network)) {
    const service = serviceRanges.find((range) => overlaps(range, network));
    return service === undefined
      ? refused('PodCIDROutsideClusterCIDRs', text)
      : refused('PodCIDRInServiceRange', text, formatCidr(service));
  }
  const nextHop = internalIPs[family];
  const want =
    instance === undefined || nextHop === undefined
      ? undefined
      : { node, destination: network, text, key: instance.key, nextHop };
  if (sharers.length > 0) {
    const subject = `${text} (shared with ${enumerate(sharers)})`;
    return { kind: 'shared', want, obstacle: { code: 'RouteDestinationShared', subject } };
  }
  if (want !== undefined) return { kind: 'wanted', want };
  return instance === undefined
    ? withoutInstance(node, text)
    : refused('NoInternalIPOfFamily', text);
}

function withoutInstance({ lookupFailure }: RoutedNode, text: string): RouteNeed {
  if (lookupFailure === undefined) return refused('InstanceUnknown', text);
  return refused('InstanceLookupFailed', text, printable(lookupFailure, failureMax));
}

/** The maximum length of the cloud's message. */
const failureMax = 200;

export function refused(code: RouteFindingCode, subject: string, why?: string): RouteNeed {
  const obstacle = { code, subject, ...(why === undefined ? {} : { why }) };
  return { kind: 'refused', obstacle };
}

/** Whether routes to the network, or to a part of it, stay unchanged (T2). */
export function isUndecided({ kind }: RouteNeed): boolean {
  return kind === 'barred' || kind === 'shared' || kind === 'refused';
}
