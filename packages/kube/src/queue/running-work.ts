/**
 * The keys of running work and their start times. Metrics show them twice a second, so that a stuck
 * worker is visible although it never finishes. An idle queue has no timer.
 */
import type { Clock, Timer } from '@tandem/runtime';
import type { QueueMetrics } from './queue-metrics.ts';

/** As often as client-go does. */
const reportEveryMs = 500;

export class RunningWork {
  readonly #clock: Clock;
  readonly #metrics: QueueMetrics;
  readonly #startedMs = new Map<string, number>();
  #timer: Timer | undefined;

  constructor(clock: Clock, metrics: QueueMetrics) {
    this.#clock = clock;
    this.#metrics = metrics;
  }

  get size(): number {
    return this.#startedMs.size;
  }

  has(key: string): boolean {
    return this.#startedMs.has(key);
  }

  begin(key: string): void {
    this.#startedMs.set(key, this.#clock.monotonic());
    this.#timer ??= this.#clock.after(reportEveryMs, () => this.#report());
  }

  end(key: string): void {
    const startedMs = this.#startedMs.get(key);
    if (startedMs === undefined) return;
    this.#startedMs.delete(key);
    this.#metrics.finished(this.#clock.monotonic() - startedMs);
  }

  /** Stops reporting. Running work may still end. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#metrics.running(0, 0);
  }

  #report(): void {
    const nowMs = this.#clock.monotonic();
    const durationsMs = [...this.#startedMs.values()].map((startedMs) => nowMs - startedMs);
    const totalMs = durationsMs.reduce((sum, durationMs) => sum + durationMs, 0);
    this.#metrics.running(totalMs, Math.max(0, ...durationsMs));
    // A report without work is the last one: it has set both to zero.
    this.#timer =
      durationsMs.length === 0 ? undefined : this.#clock.after(reportEveryMs, () => this.#report());
  }
}
