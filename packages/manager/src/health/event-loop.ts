/**
 * Measures the delay of the event loop with a timer that should fire every second. Work that blocks the loop for
 * seconds could let the Lease expire unnoticed.
 */
import { type Clock, type Metrics, type MetricDeclaration, sleep } from '@tandem/runtime';
import type { HealthOutcome } from '@tandem/serving';

export const eventLoopLagSeconds: MetricDeclaration<never> = {
  name: 'tandem_event_loop_lag_seconds',
  help: 'Delay of the event loop, measured every second.',
  stability: 'ALPHA',
  labels: [],
};

const lookEveryMs = 1_000;

/** Half of upstream's renew deadline: beyond it, a leader may lose the Lease. */
const lagMsMax = 5_000;

/** How long the check reports a delay. */
const rememberMs = 30_000;

export class EventLoopWatch {
  readonly #clock: Clock;
  readonly #gauge: ReturnType<Metrics['gauge']>;
  #worst: { readonly lagMs: number; readonly atMs: number } | undefined;

  constructor(clock: Clock, metrics: Metrics) {
    this.#clock = clock;
    this.#gauge = metrics.gauge(eventLoopLagSeconds);
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const dueMs = this.#clock.monotonic() + lookEveryMs;
      await sleep(this.#clock, lookEveryMs, signal).catch(() => undefined);
      if (!signal.aborted) this.#note(Math.max(this.#clock.monotonic() - dueMs, 0));
    }
  }

  check(): HealthOutcome {
    const worst = this.#worst;
    if (worst === undefined || this.#clock.monotonic() - worst.atMs > rememberMs) {
      return { ok: true };
    }
    return {
      ok: false,
      reason: `the event loop was delayed by ${Math.round(worst.lagMs / 1_000)} s`,
    };
  }

  #note(lagMs: number): void {
    this.#gauge.set(lagMs / 1_000);
    if (lagMs > lagMsMax) this.#worst = { lagMs, atMs: this.#clock.monotonic() };
  }
}
