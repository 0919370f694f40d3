/** A node as the table shows it. */
import type { NodeAddress, SourcedRequest, Stack } from '@tandem/core/node-address';
import type { NodeProblem } from './node-problems.ts';

export type RowState =
  /** Tainted, about to change, or without its routes, and nothing was said about it yet. */
  | 'waiting'
  /** Initialised, with what follows from its request and its cloud. */
  | 'ready'
  /** Told that it does not get what it wants. */
  | 'refused'
  | 'paused'
  /** Its kubelet says that it is not ready. */
  | 'down';

export interface Row {
  readonly node: string;
  /** What its kubelet was started with; null without `--node-ip`, and for nodes without a kubelet here. */
  readonly nodeIP: string | null;
  readonly asked: SourcedRequest | null;
  /** The node's IPs; none while it is tainted, because clients cannot rely on them before. */
  readonly got: readonly NodeAddress[];
  readonly stack: Stack | null;
  /** As they are stored, whether or not the node is tainted. */
  readonly podCIDRs: readonly string[];
  /** What is wrong with them, or why there are none. */
  readonly podCIDRProblem: NodeProblem | null;
  readonly state: RowState;
  /** The code of a refusal, or the reason of another warning. */
  readonly code: string | null;
  readonly why: string;
}
