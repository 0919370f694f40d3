/**
 * The routes that the podCIDRs of all nodes need. No two wanted destinations overlap: if the
 * podCIDRs of several nodes do, every route to them stays unchanged, because a change would cut off
 * a node.
 */
import { OverlapIndex } from '../allocation/index.ts';
import { type Cidr, cidrKey } from '../ip/index.ts';
import {
  needOf,
  type PodNetworks,
  podNetworksOf,
  refused,
  type RouteNeed,
  type RouteScope,
  type WantedRoute,
} from './need.ts';
import { findBar, type RoutedNode } from './node.ts';
import { findSharers, type FindSharers } from './sharers.ts';

export interface NodeNeeds {
  readonly node: RoutedNode;
  /** Why the routes of the node stay unchanged. */
  readonly bar: string | undefined;
  /** In the order of their values. */
  readonly networks: readonly Cidr[];
  /** One for each network, and then one for each podCIDR that is not a network. */
  readonly needs: readonly RouteNeed[];
}

export interface RouteNeeds {
  /** In the order of their names. */
  readonly nodes: readonly NodeNeeds[];
  /** Destinations that need a route, by `cidrKey`. */
  readonly wants: ReadonlyMap<string, WantedRoute>;
  /** Destinations that several nodes share, once for each node. */
  readonly shared: readonly WantedRoute[];
  /** The needs that concern any address of the network. */
  readonly on: (network: Cidr) => readonly RouteNeed[];
}

export function readNeeds(nodes: readonly RoutedNode[], scope: RouteScope): RouteNeeds {
  const holdings = nodes
    .toSorted(byName)
    .map((node) => ({ node, read: podNetworksOf(node.podCIDRs) }));
  const sharers = findSharers(
    holdings.map(({ node, read }) => ({ node, networks: read.networks })),
  );
  const needing = holdings.map(({ node, read }) => needsOf(node, read, { ...scope, sharers }));
  const wants = new Map<string, WantedRoute>();
  const shared: WantedRoute[] = [];
  for (const { needs } of needing) {
    for (const need of needs) {
      if (need.kind === 'wanted') wants.set(cidrKey(need.want.destination), need.want);
      else if (need.kind === 'shared' && need.want !== undefined) shared.push(need.want);
    }
  }
  return { nodes: needing, wants, shared, on: needsOn(needing) };
}

function needsOf(
  node: RoutedNode,
  { networks, invalid }: PodNetworks,
  { sharers, ...scope }: RouteScope & { readonly sharers: FindSharers },
): NodeNeeds {
  const bar = findBar(node);
  if (bar !== undefined) return { node, bar, networks, needs: networks.map(() => barred) };
  const needs = networks.map((network) =>
    needOf(node, network, { ...scope, sharers: sharers(node, network) }),
  );
  const unreadable = invalid.map((text) => refused('InvalidPodCIDR', text));
  return { node, bar, networks, needs: [...needs, ...unreadable] };
}

const barred: RouteNeed = { kind: 'barred' };

/** Called only for routes that no node wants, so the index is built with the first call. */
function needsOn(nodes: readonly NodeNeeds[]): RouteNeeds['on'] {
  let index: OverlapIndex | undefined;
  const byNode = new Map<string, NodeNeeds>();
  return (network) => {
    if (index === undefined) {
      index = new OverlapIndex();
      for (const one of nodes) {
        index.set(one.node.uid, one.networks);
        byNode.set(one.node.uid, one);
      }
    }
    // No node has an empty UID.
    return index.others('', network).flatMap(({ owner, cidr }) => {
      const { networks = [], needs = [] } = byNode.get(owner) ?? {};
      return needs[networks.indexOf(cidr)] ?? [];
    });
  };
}

function byName(a: RoutedNode, b: RoutedNode): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.uid < b.uid ? -1 : 1;
}
