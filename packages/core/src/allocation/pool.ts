/** A pool of pod CIDRs: the ranges from which some nodes get their blocks, one range per family. */
import { type Cidr, type Family, formatCidr } from '../ip/index.ts';
import { type LabelSelector, matchesSelector } from '../node-address/index.ts';

export interface PodCIDRPool {
  readonly name: string;
  /** In the order of a node's podCIDRs: the primary family first. */
  readonly ranges: readonly PoolRange[];
  /** Selects the nodes of the pool; all nodes if left out. */
  readonly selector?: LabelSelector | undefined;
}

export interface PoolRange {
  readonly cidr: Cidr;
  /** The prefix length of the block that a node gets. */
  readonly nodeMaskSize: number;
}

/** Returns the first pool that selects a node with these labels. */
export function findPool(
  pools: readonly PodCIDRPool[],
  labels: Readonly<Record<string, string>>,
): PodCIDRPool | undefined {
  return pools.find(({ selector }) => selector === undefined || matchesSelector(selector, labels));
}

export function familiesOf({ ranges }: PodCIDRPool): Family[] {
  return ranges.map(({ cidr }) => cidr.network.family);
}

/** `cluster-cidr (10.244.0.0/16, fd00::/48)` */
export function poolText({ name, ranges }: PodCIDRPool): string {
  return `${name} (${ranges.map(({ cidr }) => formatCidr(cidr)).join(', ')})`;
}
