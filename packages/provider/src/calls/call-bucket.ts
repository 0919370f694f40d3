/**
 * What a cloud counts together, such as the calls of one action: a rate, and a rest once the cloud has
 * refused a call for coming too often. A first refusal is soon forgotten. If another one follows within ten
 * minutes, the bucket rests for a minute each time, so that a busy account gives at most one such refusal a
 * minute.
 */
import { type Clock, Limiter } from '@tandem/runtime';
import { CallRate } from './call-rate.ts';
import { readRetryAfter } from './retry-after.ts';

export interface Rate {
  readonly callsPerSecond: number;
  /** Calls that may begin at once after a quiet time. */
  readonly burst: number;
}

const firstRestMs = 5_000;

/** How long a bucket rests after its first refusal, where the cloud does not say. */
export const restMs = 60_000;

/** How long a refusal is remembered. */
const rememberedMs = 600_000;

/** A slowed bucket has this part of its rate, and no burst. */
const slowPart = 1 / 4;

export class CallBucket {
  /** For calls of a bucket that was refused lately: two at once would both be refused. */
  readonly oneAtATime: Limiter = new Limiter({ concurrency: 1 });
  readonly #clock: Clock;
  readonly #rate: CallRate;
  readonly #slowRate: CallRate;
  #throttledAtMs = -Infinity;
  #restsUntilMs = -Infinity;
  #slowUntilMs = -Infinity;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = new CallRate(clock, rate);
    this.#slowRate = new CallRate(clock, {
      callsPerSecond: rate.callsPerSecond * slowPart,
      burst: 1,
    });
  }

  /** How long it still rests; 0 when it does not. */
  restsForMs(): number {
    return Math.max(0, this.#restsUntilMs - this.#clock.monotonic());
  }

  wasThrottledLately(): boolean {
    return this.#clock.monotonic() - this.#throttledAtMs < rememberedMs;
  }

  /** Whether it was refused lately, or is about to be. */
  isSlow(): boolean {
    return this.wasThrottledLately() || this.#clock.monotonic() < this.#slowUntilMs;
  }

  /** Slows it for a minute, before the cloud refuses a call. */
  slowDown(): void {
    this.#slowUntilMs = this.#clock.monotonic() + restMs;
  }

  /** How long until a call may begin: 0 when it may now. */
  waitMs({ isSlow }: { readonly isSlow: boolean }): number {
    return Math.max(this.#rate.waitMs(), isSlow ? this.#slowRate.waitMs() : 0);
  }

  /** Counts a call that begins. */
  take({ isSlow }: { readonly isSlow: boolean }): void {
    this.#rate.take();
    if (isSlow) this.#slowRate.take();
  }

  /** The cloud refused a call that began at `begunAtMs`. Calls that were under way with it change nothing. */
  throttled(begunAtMs: number, retryAfterMs: unknown): void {
    if (begunAtMs <= this.#throttledAtMs) return;
    const waitMs =
      readRetryAfter(retryAfterMs) ?? (this.wasThrottledLately() ? restMs : firstRestMs);
    this.#throttledAtMs = this.#clock.monotonic();
    this.#restsUntilMs = this.#throttledAtMs + waitMs;
  }
}
