/**
 * What the podCIDRs of all nodes mean for the route tables. No two wanted destinations overlap: where the
 * podCIDRs of several nodes do, every route to them stays as it is, because a change would cut a node off.
 */
import { OverlapIndex } from '../allocation/index.ts';
import type { Cidr } from '../ip/index.ts';
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

export interface NodeNeeds {
  readonly node: RoutedNode;
  /** Why the routes of the node are left as they are. */
  readonly bar: string | undefined;
  /** One for each podCIDR, in the order of their values. */
  readonly needs: readonly RouteNeed[];
}

export interface RouteNeeds {
  /** In the order of their names. */
  readonly nodes: readonly NodeNeeds[];
  /** Destinations that have to be routed, by their text. */
  readonly wants: ReadonlyMap<string, WantedRoute>;
  /** Destinations that several nodes share, once for each node. */
  readonly shared: readonly WantedRoute[];
  /** Those that concern any address of the network. */
  readonly on: (network: Cidr) => readonly RouteNeed[];
}

export function readNeeds(nodes: readonly RoutedNode[], scope: RouteScope): RouteNeeds {
  const holders = holdersAmong(nodes);
  const byNetwork = new Map<Cidr, RouteNeed>();
  const needing = holders.nodes.map(({ node, networks, invalid }): NodeNeeds => {
    const bar = findBar(node);
    const unreadable = bar === undefined ? invalid : [];
    const needs = unreadable.map((text) => refused('InvalidPodCIDR', text));
    for (const network of networks) {
      const sharers = holders.sharers(node, network);
      const need = bar === undefined ? needOf(node, network, { ...scope, sharers }) : barred;
      byNetwork.set(network, need);
      needs.push(need);
    }
    return { node, bar, needs };
  });
  const needs = [...byNetwork.values()];
  const wants = needs.flatMap((need) => (need.kind === 'wanted' ? [need.want] : []));
  return {
    nodes: needing,
    wants: new Map(wants.map((want) => [want.text, want])),
    shared: needs.flatMap((need) => (need.kind === 'shared' ? (need.want ?? []) : [])),
    on: (network) => holders.networks(network).flatMap((one) => byNetwork.get(one) ?? []),
  };
}

const barred: RouteNeed = { kind: 'barred' };

/** Which nodes have which addresses. */
interface Holders {
  readonly nodes: readonly (PodNetworks & { readonly node: RoutedNode })[];
  readonly sharers: (node: RoutedNode, network: Cidr) => readonly string[];
  readonly networks: (network: Cidr) => readonly Cidr[];
}

function holdersAmong(nodes: readonly RoutedNode[]): Holders {
  const index = new OverlapIndex();
  const names = new Map<string, string>();
  const holding = nodes.toSorted(byName).map((node) => {
    const read = podNetworksOf(node.podCIDRs);
    index.set(node.uid, read.networks);
    names.set(node.uid, node.name);
    return { node, ...read };
  });
  return {
    nodes: holding,
    sharers: ({ uid }, network) => {
      const others = index.others(uid, network).map(({ owner }) => names.get(owner) ?? '');
      return [...new Set(others)].toSorted();
    },
    // No node has an empty UID.
    networks: (network) => index.others('', network).map(({ cidr }) => cidr),
  };
}

function byName(a: RoutedNode, b: RoutedNode): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.uid < b.uid ? -1 : 1;
}
