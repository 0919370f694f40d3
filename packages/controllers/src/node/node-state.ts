/** What the cloud-node-controller remembers of one node, beside what the loop does. */
import type { SourcedRequest } from '@tandem/core/node-address';
import type { NodePlan } from '@tandem/core/node-init';
import type { NodeRecord } from '../loop/index.ts';
import type { AnswerEntry } from './answers.ts';
import type { SeenRequest } from './seen-request.ts';

export interface NodeState {
  /**
   * When the node was last seen to ask for other addresses, on the monotonic clock: a request is refused
   * for want of an address only on an answer that is younger (P3).
   */
  requestChangedAtMs: number;
  /** What the node asked for then, wherever it was seen: in the cache or on a live node. */
  request: SeenRequest;
  /** What the cloud said, for as long as something is to be done about it. */
  answer: AnswerEntry | undefined;
  /** The key of the instance that the node's own providerID names; the providerID where it has none. */
  ownKey: string | undefined;
  /** The key of the instance that the cloud found for the node. */
  foundKey: string | undefined;
  /**
   * Whether the node is being initialised, or was when it was last decided about: from before the write
   * until the cache shows it, the node counts as initialised, so that two nodes are never given one
   * instance (P2).
   */
  isTaking: boolean;
  /** What was said of sources that ask for different things. */
  disagreement: string | undefined;
  /** What was said of another Node that is initialised as the same instance. */
  conflict: string | null;
  /** What was last decided about the node. */
  decision: Decision | undefined;
}

/** A plan as far as it is kept: thousands of nodes have one. */
export interface Decision {
  /** By the wall clock. */
  readonly atMs: number;
  /** Writes that are not stored yet; all of them in a dry run. */
  readonly actions: NodePlan['actions'];
  readonly outcome: NodePlan['outcome'];
  readonly request: SourcedRequest | null;
  readonly stack: NodePlan['stack'];
}

export type Node = NodeRecord<NodeState>;

export function newState(request: SeenRequest, nowMs: number): NodeState {
  return {
    requestChangedAtMs: nowMs,
    request,
    answer: undefined,
    ownKey: undefined,
    foundKey: undefined,
    isTaking: false,
    disagreement: undefined,
    conflict: null,
    decision: undefined,
  };
}
