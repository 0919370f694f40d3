/** A node as the table shows it. */
import type { NodeAddress, SourcedRequest, Stack } from '@tandem/core/node-address';
import type { NodeProblem } from './node-problems.ts';

export type RowState =
  /** Tainted, about to change, or without its routes, and not refused. */
  | 'waiting'
  /** Initialised, with the addresses that follow from its request and its instance. */
  | 'ready'
  /** An event refuses its request. */
  | 'refused'
  | 'paused'
  /** Its kubelet reports that it is not Ready. */
  | 'down';

export interface Row {
  readonly node: string;
  /** The `--node-ip` of its kubelet; null without the flag, and for nodes without a kubelet here. */
  readonly nodeIP: string | null;
  readonly asked: SourcedRequest | null;
  /** The node's IPs; none while it is tainted, because clients cannot rely on them yet. */
  readonly got: readonly NodeAddress[];
  readonly stack: Stack | null;
  /** As stored, whether or not the node is tainted. */
  readonly podCIDRs: readonly string[];
  /** What is wrong with the pod CIDRs, or why there are none. */
  readonly podCIDRProblem: NodeProblem | null;
  readonly state: RowState;
  /** The code of a refusal, or the reason of another warning. */
  readonly code: string | null;
  readonly why: string;
}
