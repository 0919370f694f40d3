/**
 * When the next pass begins: at the latest after the period, sooner where something asks for it. A pass waits for a
 * moment without further changes and for nodes that are still being initialised, though not for long, so that a
 * hundred nodes that register together are one batch.
 */
import { type Clock, sleep } from '@tandem/runtime';
import type { PassTrigger } from './metrics.ts';
import type { Newcomers } from './newcomers.ts';

/** Short beside any cloud call, and long enough for the next change of a deployment to follow. */
const momentMs = 100;

export interface PassTimerOptions {
  readonly clock: Clock;
  /** Nodes that never stop changing must not keep others waiting for longer. */
  readonly gatherMsMax: number;
  readonly newcomers: Pick<Newcomers, 'areAwaited'>;
}

export class PassTimer {
  readonly #options: PassTimerOptions;
  readonly #clock: Clock;
  #dueMs: number | undefined;
  /** Of the changes that no pass has seen yet, when the first came, and when the last. */
  #changes: { readonly firstMs: number; readonly lastMs: number } | undefined;
  #wake: () => void = () => {};

  constructor(options: PassTimerOptions) {
    this.#options = options;
    this.#clock = options.clock;
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
      const dueMs = Math.min(endMs, this.#dueMs ?? Infinity, this.#calmMs(nowMs));
      if (dueMs <= nowMs) {
        const hasChanges = this.#changes !== undefined;
        this.#dueMs = undefined;
        this.#changes = undefined;
        return hasChanges ? 'node_change' : 'periodic';
      }
      await this.#sleepUntil(dueMs, signal);
    }
  }

  /** When nodes could be calm, or have changed for long enough. Newcomers are looked at every moment. */
  #calmMs(nowMs: number): number {
    if (this.#changes === undefined) return Infinity;
    const { firstMs, lastMs } = this.#changes;
    const { gatherMsMax, newcomers } = this.#options;
    const calmMs = lastMs + momentMs;
    const isGathering = calmMs <= nowMs && newcomers.areAwaited;
    return Math.min(firstMs + gatherMsMax, isGathering ? nowMs + momentMs : calmMs);
  }

  async #sleepUntil(dueMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const either = AbortSignal.any([signal, woken.signal]);
    await sleep(this.#clock, dueMs - this.#clock.monotonic(), either).catch(() => undefined);
    signal.throwIfAborted();
  }
}
