/**
 * A question about one node, and the callers that wait for its answer. The provider is asked once, however many callers
 * there are, and not at all if every caller has left before the call.
 */
import { untilAborted } from '@tandem/runtime';
import type { NodeRef } from '../plug/index.ts';
import type { Answer } from './answer.ts';

/** `urgent` if something changed and a node waits. Such a question is not held back by a growing back-off. */
export type AskPriority = 'urgent' | 'routine';

export class Question {
  /** The latest version of the node: labels may change while the question waits. */
  node: NodeRef;
  readonly key: string;
  readonly sinceMs: number;
  readonly #answered: PromiseWithResolvers<Answer> = Promise.withResolvers();
  #askers = 0;
  /** When the call for this question began; undefined while the question waits. */
  begunAtMs: number | undefined;
  /** Whether the node was deleted after the question was asked. */
  isForgotten = false;
  /** Whether the instance may have changed since the call began. Later callers do not get this answer. */
  isOutdated = false;
  /** Whether the node changed after the call began. The answer describes the earlier node. */
  isOfOldNode = false;
  /** The oldest data that all waiting callers accept; `Infinity` to ask the source itself. */
  needsSinceMs: number;
  /** The urgency of the most urgent caller. */
  priority: AskPriority = 'routine';

  constructor(asked: {
    readonly node: NodeRef;
    readonly key: string;
    readonly sinceMs: number;
    readonly needsSinceMs: number;
  }) {
    this.node = asked.node;
    this.key = asked.key;
    this.sinceMs = asked.sinceMs;
    this.needsSinceMs = asked.needsSinceMs;
  }

  /** Resolves with the answer. Rejects with the signal's reason if the caller leaves first. */
  async wait(signal: AbortSignal | undefined, onDeserted: () => void): Promise<Answer> {
    if (signal === undefined) {
      this.#askers++;
      return this.#answered.promise;
    }
    signal.throwIfAborted();
    this.#askers++;
    try {
      return await untilAborted(signal, this.#answered.promise);
    } catch (err) {
      this.#askers--;
      if (this.#askers === 0) onDeserted();
      throw err;
    }
  }

  answer(answer: Answer): void {
    this.#answered.resolve(answer);
  }
}
