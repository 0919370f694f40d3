/**
 * How late the event loop is: a timer that should fire every second and looks at the clock when it
 * does. Work that holds the loop for seconds would let a Lease run out unnoticed.
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

/** Half of upstream's renew deadline: past it a leader is in danger. */
const lagMsMax = 5_000;

/** For how long a lag is told of. */
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
