/** The view of pod CIDRs: the pools, the holders of blocks, and the blocks in doubt. */
import type { LabelSelector } from '../node-address/index.ts';

export interface PoolsSummary {
  readonly allocator: 'RangeAllocator' | 'CloudAllocator';
  /** False while the manager must not assign blocks yet. */
  readonly isAllocating: boolean;
  readonly pools: readonly PoolView[];
  readonly serviceRanges: readonly string[];
  /** The number of nodes that wait for a block. */
  readonly waiting: number;
}

export interface PoolView {
  readonly name: string;
  /** Null for all nodes. */
  readonly selector: LabelSelector | null;
  readonly ranges: readonly RangeView[];
}

export interface RangeView {
  readonly cidr: string;
  /** The prefix length of the block that a node gets. */
  readonly nodeMaskSize: number;
  readonly capacity: number;
  readonly bound: number;
  readonly inDoubt: number;
  readonly excluded: number;
  readonly free: number;
}

/** A node that holds blocks or waits for them. */
export interface HolderView {
  /** The name of the node; empty for a deleted node. */
  readonly name: string;
  readonly uid: string;
  /** The pool of its first block; null if no pool has it. */
  readonly pool: string | null;
  readonly podCIDRs: readonly string[];
  readonly state: HolderState;
  /** The problems of the node's podCIDRs, or why it waits. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

export const holderStates = [
  /** The node shows them. */
  'bound',
  /** They are about to be written to the node. */
  'reserved',
  /** They were written, and the outcome is not known yet. */
  'in doubt',
  /** The node is deleted, and routes may still lead to them. */
  'gone',
  /** The node has no blocks and waits for them. */
  'waiting',
] as const;

export type HolderState = (typeof holderStates)[number];
