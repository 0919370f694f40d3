/** What node-ipam-controller runs with: where pod CIDRs come from, and which addresses they must leave alone. */
import type { Cidr, Family } from '@tandem/core/ip';
import type { LabelSelector } from '@tandem/core/node-address';

export interface NodeIpamSettings {
  readonly allocator: 'RangeAllocator' | 'CloudAllocator';
  /** In the order in which they are tried: those of the file of `--config`, then the one of `--cluster-cidr`. */
  readonly pools: readonly PodCIDRPool[];
  /** In the order of `--cluster-cidr`, or of the last pool: the primary family first. */
  readonly families: readonly Family[];
  /** No pod CIDR may overlap them. */
  readonly serviceRanges: readonly Cidr[];
  /** Nodes that are written in parallel. */
  readonly workers: number;
}

/** All pod CIDRs of a node come from one pool. */
export interface PodCIDRPool {
  readonly name: string;
  /** One, or one of each family, the primary family first. */
  readonly ranges: readonly PoolRange[];
  /** The nodes that the pool is for; undefined for all. */
  readonly selector: LabelSelector | undefined;
}

export interface PoolRange {
  readonly cidr: Cidr;
  /** The prefix length of a node's block. */
  readonly nodeMaskSize: number;
}
