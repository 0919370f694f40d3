/**
 * How EC2 is called. Each call is one attempt: waiting and asking again is the business of those who look
 * up and who plan routes, on their clock. What goes wrong comes out as an `AWSError`.
 */
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { Clock } from '@tandem/runtime';
import type { AWSMetrics } from './aws-metrics.ts';
import { failureOf } from './call-failure.ts';

/** The first throttled call is soon forgotten; EC2 gets a minute of rest once that did not help. */
const firstRestMs = 5_000;
const restMs = 60_000;

export interface EC2Call {
  /** As IAM policies name it. */
  readonly action: string;
  readonly signal: AbortSignal;
  /** Called right before a request that changes something. */
  readonly beforeWrite?: () => void;
}

export class EC2 {
  readonly #client: EC2Client;
  readonly #clock: Clock;
  readonly #metrics: AWSMetrics;
  #throttledAtMs = -Infinity;

  constructor(client: EC2Client, clock: Clock, metrics: AWSMetrics) {
    this.#client = client;
    this.#clock = clock;
    this.#metrics = metrics;
  }

  async call<T>(
    { action, signal, beforeWrite }: EC2Call,
    send: (client: EC2Client, options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    beforeWrite?.();
    const begunAtMs = this.#clock.monotonic();
    try {
      const answer = await send(this.#client, { abortSignal: signal });
      this.#metrics.succeeded(action, this.#clock.monotonic() - begunAtMs);
      return answer;
    } catch (err) {
      this.#metrics.failed(action);
      signal.throwIfAborted();
      const isWrite = beforeWrite !== undefined;
      throw failureOf({ action, isWrite, throttledForMs: () => this.#throttled(action) }, err);
    }
  }

  close(): void {
    this.#client.destroy();
  }

  /** Gives how long to leave EC2 alone. */
  #throttled(action: string): number {
    this.#metrics.throttled(action);
    const nowMs = this.#clock.monotonic();
    const isFirst = nowMs - this.#throttledAtMs > 2 * restMs;
    this.#throttledAtMs = nowMs;
    return isFirst ? firstRestMs : restMs;
  }
}
