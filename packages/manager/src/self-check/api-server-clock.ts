/**
 * Measures the difference between the clocks of this machine and the API server, by the `Date` of answers that are
 * fetched anyway. It assumes that the server stamped an answer halfway through the round trip. The fastest answer
 * counts, because its error is the smallest.
 */
import type { Answer, KubeClient } from '@tandem/kube/client';
import type { Clock, Logger, MetricDeclaration, Metrics } from '@tandem/runtime';

export const clockSkewSeconds: MetricDeclaration<never> = {
  name: 'tandem_api_server_clock_skew_seconds',
  help: 'Seconds by which the clock of this machine was ahead of the API server at startup.',
  stability: 'ALPHA',
  labels: [],
};

/** Beyond this, times in events and Leases mislead their readers. */
const skewMsMax = 5_000;

/** A `Date` has no fractions of a second, so on average it is half a second early. */
const cutOffMs = 500;

export class ApiServerClock {
  /** The given client, whose answers are measured. */
  readonly client: KubeClient;
  readonly #gauge: ReturnType<Metrics['gauge']>;
  #best: { readonly skewMs: number; readonly roundTripMs: number } | undefined;

  constructor(client: KubeClient, { clock, metrics }: { clock: Clock; metrics: Metrics }) {
    this.#gauge = metrics.gauge(clockSkewSeconds);
    // A new gauge is 0, which would mean that there is no difference.
    this.#gauge.remove();
    this.client = {
      call: async (call) => {
        const sentMs = clock.now();
        const startMs = clock.monotonic();
        const answer = await client.call(call);
        this.#note(answer, { sentMs, roundTripMs: clock.monotonic() - startMs });
        return answer;
      },
      open: (call) => client.open(call),
    };
  }

  /** Logs a large difference. Logs nothing if no answer had a `Date`. */
  tell(logger: Logger): void {
    if (this.#best === undefined) return;
    const { skewMs, roundTripMs } = this.#best;
    this.#gauge.set(skewMs / 1_000);
    // The rest of the difference is certain, however long each direction took.
    if (Math.abs(skewMs) - roundTripMs / 2 <= skewMsMax) return;
    const facts = {
      skewSeconds: Math.round(skewMs / 100) / 10,
      roundTripMs: Math.round(roundTripMs),
    };
    logger.warn({ ...facts, ...advice }, 'Clock differs from the API server');
  }

  #note(
    { headers }: Answer,
    { sentMs, roundTripMs }: { readonly sentMs: number; readonly roundTripMs: number },
  ): void {
    const serverMs = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(serverMs)) return;
    if (this.#best !== undefined && this.#best.roundTripMs <= roundTripMs) return;
    this.#best = { skewMs: sentMs + roundTripMs / 2 - (serverMs + cutOffMs), roundTripMs };
  }
}

const advice = {
  consequence:
    'Times in Leases, events and metrics look wrong. Leader election does not depend on them',
  fix: 'Synchronise the clocks of this machine and the control plane',
};
