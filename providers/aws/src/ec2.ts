/**
 * How EC2 is called: within the rate of each action, under a deadline, one attempt a call. Asking again is
 * the business of those who look up and who plan routes, on their clock. What goes wrong comes out as an
 * `AWSError`.
 */
import type { EC2Client } from '@aws-sdk/client-ec2';
import { ApiCalls, type ClockSkew, type Rate } from '@tandem/provider/calls';
import type { Clock } from '@tandem/runtime';
import type { AWSMetrics } from './aws-metrics.ts';
import { failureOf, isThrottling } from './call-failure.ts';

/** The slowest answers take a few seconds. A look-up has 30 s, in which its other calls still count. */
const callDeadlineMs = 10_000;

/**
 * EC2 counts each action apart, for the whole account and region. A reading action has 100 tokens and gets 20
 * a second; half of them are left to others. Actions that change something get about 5 a second.
 */
const readRate: Rate = { callsPerSecond: 10, burst: 50 };
const writeRate: Rate = { callsPerSecond: 5, burst: 50 };
/** Of this action EC2 allows less than of others. */
const topologyRate: Rate = { callsPerSecond: 1, burst: 1 };

export interface EC2Call {
  /** As IAM policies name it. */
  readonly action: string;
  readonly signal: AbortSignal;
  /** Called right before a request that changes something. */
  readonly beforeWrite?: () => void;
}

export interface EC2Options {
  readonly client: EC2Client;
  readonly clock: Clock;
  readonly metrics: AWSMetrics;
  readonly skew: ClockSkew;
}

export class EC2 {
  readonly #client: EC2Client;
  readonly #clock: Clock;
  readonly #metrics: AWSMetrics;
  readonly #skew: ClockSkew;
  readonly #calls: ApiCalls;

  constructor({ client, clock, metrics, skew }: EC2Options) {
    this.#client = client;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#skew = skew;
    this.#calls = new ApiCalls({
      clock,
      rateOf,
      deadlineMs: callDeadlineMs,
      readThrottling: (err) => (isThrottling(err) ? {} : undefined),
    });
  }

  async call<T>(
    { action, signal, beforeWrite }: EC2Call,
    send: (client: EC2Client, options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const isWrite = beforeWrite !== undefined;
    let begunAtMs: number | undefined;
    try {
      const answer = await this.#calls.run({ bucket: action, isWrite, signal }, async (limited) => {
        beforeWrite?.();
        begunAtMs = this.#clock.monotonic();
        return send(this.#client, { abortSignal: limited });
      });
      this.#metrics.succeeded(action, this.#clock.monotonic() - (begunAtMs ?? 0));
      return answer;
    } catch (err) {
      if (begunAtMs !== undefined) this.#metrics.failed(action);
      if (isThrottling(err)) this.#metrics.throttled(action);
      signal.throwIfAborted();
      const restsForMs = this.#calls.restsForMs(action);
      const failure = failureOf({ action, isWrite, restsForMs, advice: this.#skew.advice }, err);
      // What the gate before a write threw is not EC2's.
      throw begunAtMs === undefined && failure.code !== 'EC2Throttled' ? err : failure;
    }
  }

  close(): void {
    this.#client.destroy();
  }
}

function rateOf(action: string): Rate {
  if (action === 'DescribeInstanceTopology') return topologyRate;
  return action.startsWith('Describe') ? readRate : writeRate;
}
