/**
 * How long a node waits whose write was refused: a second first, twice as long each time, a minute at
 * the most. The work queue has such a back-off, but warns of each failure in the log; here the node's
 * event tells, and a thousand nodes with a bad label would fill the log every minute.
 */
import type { Random } from '@tandem/runtime';

const delayMsMin = 1_000;
const delayMsMax = 60_000;

export class RetryDelays {
  readonly #random: Random;
  readonly #tries = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random.fork('retry-delays');
  }

  get size(): number {
    return this.#tries.size;
  }

  nextMs(uid: string): number {
    const tries = (this.#tries.get(uid) ?? 0) + 1;
    this.#tries.set(uid, tries);
    const wholeMs = Math.min(delayMsMin * 2 ** (tries - 1), delayMsMax);
    return wholeMs * (1 - this.#random.next() / 2);
  }

  forget(uid: string): void {
    this.#tries.delete(uid);
  }
}
