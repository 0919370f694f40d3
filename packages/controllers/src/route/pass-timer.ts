/**
 * When the next pass begins: at the latest after the period, sooner where something asks for it. Changes within a
 * moment become one pass, so that a hundred nodes that register together are one batch.
 */
import { type Clock, sleep } from '@tandem/runtime';
import type { PassTrigger } from './metrics.ts';

/** Short beside any cloud call, and long enough for the changes of one deployment. */
const momentMs = 100;

export class PassTimer {
  readonly #clock: Clock;
  #dueMs: number | undefined;
  #wake: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A pass is to begin after this time, or before. */
  ask(afterMs: number = momentMs): void {
    const dueMs = this.#clock.monotonic() + afterMs;
    if (this.#dueMs !== undefined && this.#dueMs <= dueMs) return;
    this.#dueMs = dueMs;
    this.#wake();
  }

  /** Resolves when the next pass is to begin, with what it is for. Rejects when the signal aborts. */
  async next(periodMs: number, signal: AbortSignal): Promise<PassTrigger> {
    const endMs = this.#clock.monotonic() + periodMs;
    for (;;) {
      const nowMs = this.#clock.monotonic();
      const dueMs = Math.min(endMs, this.#dueMs ?? endMs);
      if (dueMs <= nowMs) {
        const trigger =
          this.#dueMs !== undefined && this.#dueMs <= nowMs ? 'node_change' : 'periodic';
        this.#dueMs = undefined;
        return trigger;
      }
      await this.#sleepUntil(dueMs, signal);
    }
  }

  async #sleepUntil(dueMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const either = AbortSignal.any([signal, woken.signal]);
    await sleep(this.#clock, dueMs - this.#clock.monotonic(), either).catch(() => undefined);
    signal.throwIfAborted();
  }
}
