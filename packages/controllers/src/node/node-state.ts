/** The state of one node in the cloud-node-controller, beside that of the loop. */
import type { SourcedRequest } from '@tandem/core/node-address';
import type { NodePlan } from '@tandem/core/node-init';
import type { NodeRecord } from '../loop/index.ts';
import type { AnswerEntry } from './answers.ts';
import type { SeenRequest } from './seen-request.ts';

export interface NodeState {
  /**
   * When the request of the node last changed, on the monotonic clock: a request is refused for a
   * missing address only on a newer answer (P3).
   */
  requestChangedAtMs: number;
  /** That request, as seen in the cache or on a live node. */
  request: SeenRequest;
  /** The answer of the cloud, while it is needed. */
  answer: AnswerEntry | undefined;
  /**
   * The key of the instance that the node's own providerID names, or that providerID if it has no key.
   */
  ownKey: string | undefined;
  /** The key of the instance that the cloud found for the node. */
  foundKey: string | undefined;
  /**
   * Whether the node is being initialised, or was at the last decision: from before the write until the
   * cache shows it, the node counts as initialised, so that two nodes never get one instance (P2).
   */
  isTaking: boolean;
  /** The last report about sources that disagree. */
  disagreement: string | undefined;
  /** The last report about another Node of the same instance. */
  conflict: string | null;
  /** The decision of the last turn that has ended. */
  decision: Decision | undefined;
}

/** The part of a plan that is kept for thousands of nodes. */
export interface Decision {
  /** By the wall clock. */
  readonly atMs: number;
  /** Writes that are not stored yet; all of them in a dry run. */
  readonly actions: NodePlan['actions'];
  readonly outcome: NodePlan['outcome'];
  readonly request: SourcedRequest | null;
  readonly stack: NodePlan['stack'];
}

export type CloudNodeRecord = NodeRecord<NodeState>;

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
