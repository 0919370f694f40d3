/**
 * Chooses the nodes of a call. A node that makes a provider hang or throw must not keep the other nodes
 * of its call without answers. So a call that fails as a whole, without a wait requested by the cloud,
 * halves the size of the next one, and a good call doubles it. A call has only nodes that failed equally
 * often: a node that makes calls fail is soon asked about alone, and last.
 * The gate waits between failures, so a cloud with an outage gets a few small calls and never hundreds.
 */
import type { CallResult } from './call-provider.ts';
import { waitingMax } from './limits.ts';
import type { Question } from './question.ts';

export class CallSize {
  readonly #nodesMax: number;
  /** The number of failed calls in a row, by the key of the node's question. */
  readonly #misses = new Map<string, number>();
  #nodes: number;

  constructor(nodesMax: number) {
    this.#nodesMax = nodesMax;
    this.#nodes = nodesMax;
  }

  get nodes(): number {
    return this.#nodes;
  }

  /** Returns the questions for the next call, in their given order. */
  choose(waiting: Iterable<Question>): Iterable<Question> {
    if (this.#misses.size === 0) return waiting;
    const all = [...waiting];
    const fewest = Math.min(...all.map(({ key }) => this.#missesOf(key)));
    return all.filter(({ key }) => this.#missesOf(key) === fewest);
  }

  ended(asked: readonly Question[], { outcome }: Pick<CallResult, 'outcome'>): void {
    if (outcome === 'answered') {
      this.#nodes = Math.min(this.#nodes * 2, this.#nodesMax);
      for (const { key } of asked) this.#misses.delete(key);
    } else if (outcome !== 'throttled') {
      this.#nodes = Math.max(1, Math.floor(asked.length / 2));
      if (this.#misses.size > waitingMax) this.#misses.clear();
      for (const { key } of asked) this.#misses.set(key, this.#missesOf(key) + 1);
    }
  }

  /** Forgets a node that is gone. */
  forget(key: string): void {
    this.#misses.delete(key);
  }

  #missesOf(key: string): number {
    return this.#misses.get(key) ?? 0;
  }
}
