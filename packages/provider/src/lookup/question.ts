/**
 * A question about one node, and everybody who waits for its answer. It is asked once however many
 * want to know; one whose every asker has left before it was asked is not asked at all.
 */
import { untilAborted } from '@tandem/runtime';
import type { NodeRef } from '../plug/index.ts';
import type { Answer } from './answer.ts';

/** `urgent` if something changed and a node waits: the back-off of other calls then counts for little. */
export type AskPriority = 'urgent' | 'routine';

export class Question {
  /** As it was last seen: labels may change while the question waits. */
  node: NodeRef;
  readonly key: string;
  readonly sinceMs: number;
  readonly #answered: PromiseWithResolvers<Answer> = Promise.withResolvers();
  #askers = 0;
  /** When the call began that brings the answer; nothing while it waits. */
  begunAtMs: number | undefined;
  /** Whether the node has gone since it was asked about. */
  isForgotten = false;
  /** Whether its instance may have changed since its call began: the answer is not for later askers. */
  isOutdated = false;
  /** Whether the node has changed since its call began: the answer is about the node as it was then. */
  isOfOldNode = false;
  /** The oldest data that will do for all who wait; `Infinity` where the source is to be asked. */
  needsSinceMs: number;
  /** That of its most urgent asker. */
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

  /** The answer; rejects with the signal's reason when the asker leaves first. */
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
