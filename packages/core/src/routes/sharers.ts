/**
 * Finds the nodes that share addresses, for all nodes at once. Networks overlap only if one
 * contains the other, so a network shares addresses with its equals and with the networks of
 * shorter prefix lengths that contain it. Clusters have one or two prefix lengths per family, so
 * each network takes a look-up or two in a map.
 */
import { type Cidr, cidrKey, type Family, networkOf } from '../ip/index.ts';
import type { RoutedNode } from './node.ts';

export interface Holding {
  readonly node: RoutedNode;
  /** No two of them are equal. */
  readonly networks: readonly Cidr[];
}

/** The names of other nodes that have some of the network's addresses, sorted. */
export type FindSharers = (node: RoutedNode, network: Cidr) => readonly string[];

export function findSharers(holdings: readonly Holding[]): FindSharers {
  const holders = new Map<string, RoutedNode | RoutedNode[]>();
  const lengths: Record<Family, Set<number>> = { IPv4: new Set(), IPv6: new Set() };
  const shares = new Shares();
  for (const { node, networks } of holdings) {
    for (const network of networks) {
      const key = cidrKey(network);
      const equals = holders.get(key);
      holders.set(key, equals === undefined ? node : [...listOf(equals), node]);
      for (const other of listOf(equals)) shares.add([node, key], [other, key]);
      lengths[network.network.family].add(network.prefixLength);
    }
  }
  for (const { node, networks } of holdings) {
    for (const network of networks) {
      for (const outer of shorterNetworks(network, lengths[network.network.family])) {
        const key = cidrKey(outer);
        for (const other of listOf(holders.get(key))) {
          shares.add([node, cidrKey(network)], [other, key]);
        }
      }
    }
  }
  return (node, network) => shares.of(node, network);
}

type Share = readonly [node: RoutedNode, key: string];

class Shares {
  /** By UID, then by `cidrKey`. Empty if no nodes share addresses. */
  readonly #names = new Map<string, Map<string, Set<string>>>();

  /** A node does not share addresses with itself. */
  add(one: Share, other: Share): void {
    if (one[0].uid === other[0].uid) return;
    this.#add(one, other[0].name);
    this.#add(other, one[0].name);
  }

  of({ uid }: RoutedNode, network: Cidr): readonly string[] {
    const ofNode = this.#names.get(uid);
    return ofNode === undefined ? noSharers : [...(ofNode.get(cidrKey(network)) ?? [])].toSorted();
  }

  #add([{ uid }, key]: Share, name: string): void {
    const ofNode = this.#names.get(uid) ?? new Map<string, Set<string>>();
    this.#names.set(uid, ofNode);
    ofNode.set(key, (ofNode.get(key) ?? new Set()).add(name));
  }
}

const noSharers: readonly string[] = [];

function listOf(nodes: RoutedNode | RoutedNode[] | undefined): readonly RoutedNode[] {
  if (nodes === undefined) return [];
  return Array.isArray(nodes) ? nodes : [nodes];
}

function shorterNetworks({ network, prefixLength }: Cidr, lengths: ReadonlySet<number>): Cidr[] {
  if (lengths.size < 2) return none;
  return [...lengths].filter((one) => one < prefixLength).map((one) => networkOf(network, one));
}

const none: Cidr[] = [];
