/**
 * Decides when the next pass begins: after the period at the latest, and sooner if the controller asks for a pass or a
 * node changes. A change starts a pass only after a short pause without further changes, and after waiting a limited
 * time for nodes that are still being initialised. In this way, a hundred nodes that register together become one
 * batch.
 */
import { type Clock, sleep } from '@tandem/runtime';
import type { PassTrigger } from './metrics.ts';
import type { Newcomers } from './newcomers.ts';

/** The pause is short compared with any cloud call, and long enough for the next change of a deployment to arrive. */
const momentMs = 100;

export interface PassTimerOptions {
  readonly clock: Clock;
  /** The longest time that a change waits for a pass, so that nodes that keep changing do not delay the others. */
  readonly gatherMsMax: number;
  readonly newcomers: Pick<Newcomers, 'areAwaited'>;
}

export class PassTimer {
  readonly #options: PassTimerOptions;
  readonly #clock: Clock;
  #dueMs: number | undefined;
  /** The times of the first and the last change that no pass has seen yet. */
  #changes: { readonly firstMs: number; readonly lastMs: number } | undefined;
  #wake: () => void = () => {};

  constructor(options: PassTimerOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** Asks for a pass that begins after this time at the latest. */
  ask(afterMs: number = momentMs): void {
    const dueMs = this.#clock.monotonic() + afterMs;
    if (this.#dueMs !== undefined && this.#dueMs <= dueMs) return;
    this.#dueMs = dueMs;
    this.#wake();
  }

  /** Records that a node changed, so that a pass begins once no node has changed for a moment. */
  changed(): void {
    const nowMs = this.#clock.monotonic();
    const isFirst = this.#changes === undefined;
    this.#changes = { firstMs: this.#changes?.firstMs ?? nowMs, lastMs: nowMs };
    // Only the first change has to wake `next`: it then sleeps until nodes may be calm, and checks again by itself.
    if (isFirst) this.#wake();
  }

  /** Resolves with the trigger of the next pass when that pass is due. Rejects if the signal aborts. */
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

  /**
   * Returns when a pass for the changes may begin: when no node has changed for a moment and no newcomer is awaited, or
   * when the changes have waited for the longest time. While newcomers are awaited, the timer checks every moment.
   */
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
