/** What a manager tells of pod CIDRs: its pools, who holds which blocks, and which blocks are in doubt. */
import type { LabelSelector } from '../node-address/index.ts';

export interface PoolsSummary {
  readonly allocator: 'RangeAllocator' | 'CloudAllocator';
  /** False while nothing may be handed out yet. */
  readonly isAllocating: boolean;
  readonly pools: readonly PoolView[];
  readonly serviceRanges: readonly string[];
  /** Nodes that wait for a block. */
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

/** Who holds blocks, or waits for them. */
export interface HolderView {
  /** The node's; empty for a node that is gone. */
  readonly name: string;
  readonly uid: string;
  /** The pool of its first block; null where no pool has it. */
  readonly pool: string | null;
  readonly podCIDRs: readonly string[];
  readonly state: HolderState;
  /** What is wrong with the podCIDRs of the node, or why it waits. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

export const holderStates = [
  /** The node shows them. */
  'bound',
  /** They are about to be written to the node. */
  'reserved',
  /** They were written, and whether that is stored is not known yet. */
  'in doubt',
  /** The node is gone, and routes may still lead to them. */
  'gone',
  /** The node has none and waits for them. */
  'waiting',
] as const;

export type HolderState = (typeof holderStates)[number];
