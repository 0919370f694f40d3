/**
 * When the next pass begins: at the latest after the period, sooner where something asks for it. A pass waits for a
 * moment without further changes, though not for long, so that a hundred nodes that register together are one batch.
 */
import { type Clock, sleep } from '@tandem/runtime';
import type { PassTrigger } from './metrics.ts';

/** Short beside any cloud call, and long enough for the next change of a deployment to follow. */
const momentMs = 100;
/** Nodes that never stop changing must not keep others waiting: a new node's routes stand within a second. */
const calmMsMax = 500;

export class PassTimer {
  readonly #clock: Clock;
  #dueMs: number | undefined;
  /** Of the changes that no pass has seen yet, when the first came, and when the last. */
  #changes: { readonly firstMs: number; readonly lastMs: number } | undefined;
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

  /** A node changed: a pass is to begin once others have stopped changing for a moment. */
  changed(): void {
    const nowMs = this.#clock.monotonic();
    const isFirst = this.#changes === undefined;
    this.#changes = { firstMs: this.#changes?.firstMs ?? nowMs, lastMs: nowMs };
    // After the first change `next` sleeps until the nodes could be calm, and then looks again by itself.
    if (isFirst) this.#wake();
  }

  /** Resolves when the next pass is to begin, with what it is for. Rejects when the signal aborts. */
  async next(periodMs: number, signal: AbortSignal): Promise<PassTrigger> {
    const endMs = this.#clock.monotonic() + periodMs;
    for (;;) {
      const nowMs = this.#clock.monotonic();
      const dueMs = Math.min(endMs, this.#dueMs ?? Infinity, this.#calmMs());
      if (dueMs <= nowMs) {
        const hasChanges = this.#changes !== undefined;
        this.#dueMs = undefined;
        this.#changes = undefined;
        return hasChanges ? 'node_change' : 'periodic';
      }
      await this.#sleepUntil(dueMs, signal);
    }
  }

  /** When nodes will have been calm for a moment, or have changed for long enough. */
  #calmMs(): number {
    if (this.#changes === undefined) return Infinity;
    const { firstMs, lastMs } = this.#changes;
    return Math.min(firstMs + calmMsMax, lastMs + momentMs);
  }

  async #sleepUntil(dueMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const either = AbortSignal.any([signal, woken.signal]);
    await sleep(this.#clock, dueMs - this.#clock.monotonic(), either).catch(() => undefined);
    signal.throwIfAborted();
  }
}
