/**
 * Calls EC2 within the rate of each action, under a deadline, with one attempt a call. The layers that look up
 * instances and plan routes do the retries, on their own clock. Every failure is an `AWSError`. After a refusal, the
 * credentials are read again: the SDK keeps them until they expire, and those of a file for ever.
 */
import { ApiCalls, type ClockSkew, type Rate } from '@tandem/provider/calls';
import { type Clock, withDeadline } from '@tandem/runtime';
import type { AWSMetrics } from './aws-metrics.ts';
import { failureOf, isThrottling } from './call-failure.ts';
import type { Action, Input, Output } from './sdk/actions.ts';
import type { EC2Connection } from './sdk/connection.ts';

/** The slowest answers take a few seconds. A look-up has 30 s for all of its calls. */
const callDeadlineMs = 10_000;

/**
 * EC2 limits each action separately, for a whole account and region. A read has 100 tokens and gets 20 more a second;
 * Tandem leaves half of them to other clients. Writes get about 5 a second.
 */
const readRate: Rate = { callsPerSecond: 10, burst: 50 };
const writeRate: Rate = { callsPerSecond: 5, burst: 50 };
/** EC2 allows fewer calls of this action than of others. */
const topologyRate: Rate = { callsPerSecond: 1, burst: 1 };

/** Credentials that EC2 keeps refusing are read again at most this often. */
const renewalMs = 30_000;

export interface EC2CallOptions {
  readonly signal: AbortSignal;
  /** Called right before a request that writes. */
  readonly beforeWrite?: () => void;
}

export interface EC2Options {
  readonly connection: EC2Connection;
  readonly clock: Clock;
  readonly metrics: AWSMetrics;
  readonly skew: ClockSkew;
}

export class EC2 {
  readonly #connection: EC2Connection;
  readonly #clock: Clock;
  readonly #metrics: AWSMetrics;
  readonly #skew: ClockSkew;
  readonly #calls: ApiCalls;
  #wasRefused = false;
  #renewedAtMs = -Infinity;

  constructor({ connection, clock, metrics, skew }: EC2Options) {
    this.#connection = connection;
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

  async call<A extends Action>(
    action: A,
    input: Input<A>,
    { signal, beforeWrite }: EC2CallOptions,
  ): Promise<Output<A>> {
    await this.#renewRefusedCredentials(signal);
    const isWrite = beforeWrite !== undefined;
    let begunAtMs: number | undefined;
    try {
      const answer = await this.#calls.run({ bucket: action, isWrite, signal }, async (limited) => {
        beforeWrite?.();
        begunAtMs = this.#clock.monotonic();
        return this.#connection.call(action, input, { signal: limited });
      });
      this.#metrics.succeeded(action, this.#clock.monotonic() - (begunAtMs ?? 0));
      return answer;
    } catch (err) {
      if (begunAtMs !== undefined) this.#metrics.failed(action);
      if (isThrottling(err)) this.#metrics.throttled(action);
      signal.throwIfAborted();
      const restsForMs = this.#calls.restsForMs(action);
      const failure = failureOf({ action, isWrite, restsForMs, advice: this.#skew.advice }, err);
      this.#wasRefused ||= failure.code === 'EC2AccessRefused';
      // Errors of the gate before a write do not come from EC2.
      throw begunAtMs === undefined && failure.code !== 'EC2Throttled' ? err : failure;
    }
  }

  async #renewRefusedCredentials(signal: AbortSignal): Promise<void> {
    const clock = this.#clock;
    if (!this.#wasRefused || clock.monotonic() - this.#renewedAtMs < renewalMs) return;
    this.#wasRefused = false;
    this.#renewedAtMs = clock.monotonic();
    try {
      await withDeadline({ clock, limitMs: callDeadlineMs, signal }, (limited) =>
        this.#connection.renewCredentials(limited),
      );
    } catch {
      // The call that follows tells what is wrong with the credentials.
      signal.throwIfAborted();
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

function rateOf(action: string): Rate {
  if (action === 'DescribeInstanceTopology') return topologyRate;
  return action.startsWith('Describe') ? readRate : writeRate;
}
