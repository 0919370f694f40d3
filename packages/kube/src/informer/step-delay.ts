/**
 * The delay before the next step. It grows with consecutive failures and has jitter, so that the
 * informers of a restarted API server do not all return at once.
 */
import { backoffDelayMs, type Random } from '@tandem/runtime';
import type { InformerLimits } from './limits.ts';
import type { Ending } from './step.ts';

export class StepDelay {
  readonly #random: Random;
  readonly #limits: InformerLimits;
  #failures = 0;

  constructor(random: Random, limits: InformerLimits) {
    this.#random = random;
    this.#limits = limits;
  }

  /** The delay after a step that lived so long and ended like this. */
  delayMs(last: {
    readonly ending: Ending;
    readonly livedMs: number;
    readonly retryAfterMs: number;
  }): number {
    const isSettled = last.livedMs >= this.#limits.settledMs;
    if (isSettled) this.#failures = 0;
    const isInOrder =
      last.ending === 'listed' ||
      last.ending === 'not streamed' ||
      // A server that ends every watch at once must not cause a busy loop.
      (last.ending === 'closed' && isSettled);
    if (isInOrder) return 0;
    const { retryDelayMsMin, retryDelayMsMax, retryAfterMsMax } = this.#limits;
    this.#failures += 1;
    const backoff = { baseMs: retryDelayMsMin, capMs: retryDelayMsMax, jitter: 0.5 };
    const askedMs = Math.min(last.retryAfterMs, retryAfterMsMax);
    return Math.max(backoffDelayMs(backoff, this.#failures, this.#random), askedMs);
  }
}
