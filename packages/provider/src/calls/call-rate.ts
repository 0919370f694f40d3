/** A token bucket for calls: it holds `burst` tokens and refills at a steady rate. */
import type { Clock } from '@tandem/runtime';

export class CallRate {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #countedAtMs: number;

  constructor(clock: Clock, rate: { readonly callsPerSecond: number; readonly burst: number }) {
    this.#clock = clock;
    this.#perMs = rate.callsPerSecond / 1_000;
    this.#burst = rate.burst;
    this.#tokens = rate.burst;
    this.#countedAtMs = clock.monotonic();
  }

  /** Returns the time until a call may begin; 0 if it may begin now. */
  waitMs(): number {
    this.#fill();
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#perMs);
  }

  /** Counts a call that begins. */
  take(): void {
    this.#fill();
    this.#tokens -= 1;
  }

  #fill(): void {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#countedAtMs) * this.#perMs);
    this.#countedAtMs = nowMs;
  }
}
