/**
 * Which nodes a call asks about. One node that makes a provider hang or throw must not cost those who
 * are asked about with it their answers for ever. So a call that fails as a whole, without a wait that
 * the cloud asked for, halves the next one, a good one doubles it, and nodes are asked about only with
 * such as have failed as often as they have: whoever spoils calls is soon asked about alone, and last.
 * The gate's back-off stands between failures, so that a cloud in trouble gets a few small calls and
 * never hundreds.
 */
import type { CallResult } from './call-provider.ts';
import { waitingMax } from './limits.ts';
import type { Question } from './question.ts';

export class CallSize {
  readonly #nodesMax: number;
  /** How often in a row a call about the node failed, by the key of its question. */
  readonly #misses = new Map<string, number>();
  #nodes: number;

  constructor(nodesMax: number) {
    this.#nodesMax = nodesMax;
    this.#nodes = nodesMax;
  }

  get nodes(): number {
    return this.#nodes;
  }

  /** Those to ask about next, of these and in their order. */
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

  /** Lets go of a node that is gone. */
  forget(key: string): void {
    this.#misses.delete(key);
  }

  #missesOf(key: string): number {
    return this.#misses.get(key) ?? 0;
  }
}
