/** Limits the requests within a second. */
import type { Clock } from '@tandem/runtime';

export class RequestWindow {
  readonly #clock: Clock;
  #recent: readonly number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request and returns true, unless there were `perSecond` requests within the last second. */
  admits(perSecond: number): boolean {
    if (!Number.isFinite(perSecond)) return true;
    const nowMs = this.#clock.monotonic();
    this.#recent = this.#recent.filter((atMs) => atMs > nowMs - 1_000);
    if (this.#recent.length >= perSecond) return false;
    this.#recent = [...this.#recent, nowMs];
    return true;
  }
}
