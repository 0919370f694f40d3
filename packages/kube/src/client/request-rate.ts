/**
 * A bound on requests per second (`--kube-api-qps`): a bucket of tokens that fills at a steady rate, one
 * token a request. State changes take tokens first, as with slots. Where tokens are scarce for minutes,
 * background work still gets one in ten, because a call that never gets one would only time out.
 */
import { type Clock, type Timer, WaitingLine } from '@tandem/runtime';
import type { RequestPriority } from './request-slots.ts';

export interface RateLimit {
  readonly perSecond: number;
  /** Requests that may go out at once after an idle time. */
  readonly burst: number;
}

/** One in so many tokens goes to background work while both priorities wait. */
const backgroundShare = 10;

/** The rounding error of sums of fractions, far below a millisecond. */
const roundingMs = 1e-6;

export class RequestRate {
  readonly #clock: Clock;
  readonly #burst: number;
  readonly #intervalMs: number;
  readonly #waiting = { state: new WaitingLine(), background: new WaitingLine() };
  /** When the bucket will be full. The number of tokens at any time follows from it. */
  #fullAtMs = Number.NEGATIVE_INFINITY;
  #takenSinceBackground = 0;
  #timer: Timer | undefined;

  constructor({ perSecond, burst }: RateLimit, clock: Clock) {
    if (!Number.isFinite(perSecond) || perSecond <= 0) {
      throw new RangeError(`the rate must be greater than 0 requests per second, not ${perSecond}`);
    }
    if (!Number.isInteger(burst) || burst < 1) {
      throw new RangeError(`the burst must be a whole number of at least 1, not ${burst}`);
    }
    this.#clock = clock;
    this.#burst = burst;
    this.#intervalMs = 1_000 / perSecond;
  }

  /** Resolves when the request may go out. A caller whose signal aborts leaves the queue at once. */
  async take(priority: RequestPriority, signal: AbortSignal): Promise<void> {
    const admitted = this.#waiting[priority].wait(signal);
    this.#grant();
    try {
      await admitted;
    } catch (err) {
      // Without other callers the timer has no purpose any more.
      this.#grant();
      throw err;
    }
  }

  #grant(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const nowMs = this.#clock.monotonic();
      const waitMs = this.#fullAtMs - (this.#burst - 1) * this.#intervalMs - nowMs;
      if (waitMs > roundingMs) {
        this.#timer = this.#clock.after(waitMs, () => this.#grant());
        return;
      }
      this.#waiting[next].admit();
      this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + this.#intervalMs;
      this.#takenSinceBackground = next === 'background' ? 0 : this.#takenSinceBackground + 1;
    }
  }

  #next(): RequestPriority | undefined {
    const { state, background } = this.#waiting;
    if (background.size === 0) return state.size === 0 ? undefined : 'state';
    const isDue = state.size === 0 || this.#takenSinceBackground >= backgroundShare - 1;
    return isDue ? 'background' : 'state';
  }
}
