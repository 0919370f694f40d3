/**
 * The calls that a cloud limits together, such as the calls of one action. A bucket has a rate, and pauses when the cloud
 * throttles one of its calls. The first pause is short. If the cloud throttles again within ten minutes, each pause lasts
 * a minute, so a busy account sees at most one throttled call a minute.
 */
import { type Clock, Limiter } from '@tandem/runtime';
import { CallRate } from './call-rate.ts';
import { readRetryAfter } from './retry-after.ts';

export interface Rate {
  readonly callsPerSecond: number;
  /** The calls that may begin at the same time after a quiet period. */
  readonly burst: number;
}

const firstRestMs = 5_000;

/** Each later pause, unless the cloud asks for another one. */
export const restMs = 60_000;

/** How long the bucket remembers a throttled call. */
const rememberedMs = 600_000;

/** A slowed bucket has this fraction of its rate, and no burst. */
const slowPart = 1 / 4;

export class CallBucket {
  /** Serialises the calls of a recently throttled bucket, because the cloud would throttle parallel calls too. */
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

  /** Returns how much longer the bucket pauses; 0 if it does not. */
  restsForMs(): number {
    return Math.max(0, this.#restsUntilMs - this.#clock.monotonic());
  }

  wasThrottledLately(): boolean {
    return this.#clock.monotonic() - this.#throttledAtMs < rememberedMs;
  }

  /** Whether the cloud throttled the bucket recently, or is about to. */
  isSlow(): boolean {
    return this.wasThrottledLately() || this.#clock.monotonic() < this.#slowUntilMs;
  }

  /** Slows the bucket for a minute, before the cloud throttles it. */
  slowDown(): void {
    this.#slowUntilMs = this.#clock.monotonic() + restMs;
  }

  /** Returns the time until a call may begin; 0 if it may begin now. */
  waitMs({ isSlow }: { readonly isSlow: boolean }): number {
    return Math.max(this.#rate.waitMs(), isSlow ? this.#slowRate.waitMs() : 0);
  }

  /** Counts a call that begins. */
  take({ isSlow }: { readonly isSlow: boolean }): void {
    this.#rate.take();
    if (isSlow) this.#slowRate.take();
  }

  /** Records that the cloud throttled a call that began at `begunAtMs`. Parallel calls count once. */
  throttled(begunAtMs: number, retryAfterMs: unknown): void {
    if (begunAtMs <= this.#throttledAtMs) return;
    const waitMs =
      readRetryAfter(retryAfterMs) ?? (this.wasThrottledLately() ? restMs : firstRestMs);
    this.#throttledAtMs = this.#clock.monotonic();
    this.#restsUntilMs = this.#throttledAtMs + waitMs;
  }
}
