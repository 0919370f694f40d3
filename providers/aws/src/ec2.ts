/**
 * How EC2 is called. Each call is one attempt: waiting and asking again is the business of those who look
 * up and who plan routes, on their clock. What goes wrong comes out as an `AWSError`.
 */
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { Clock } from '@tandem/runtime';
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
  #throttledAtMs = -Infinity;

  constructor(client: EC2Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  async call<T>(
    { action, signal, beforeWrite }: EC2Call,
    send: (client: EC2Client, options: { readonly abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    beforeWrite?.();
    try {
      return await send(this.#client, { abortSignal: signal });
    } catch (err) {
      signal.throwIfAborted();
      const isWrite = beforeWrite !== undefined;
      throw failureOf({ action, isWrite, throttledForMs: () => this.#restMs() }, err);
    }
  }

  close(): void {
    this.#client.destroy();
  }

  #restMs(): number {
    const nowMs = this.#clock.monotonic();
    const isFirst = nowMs - this.#throttledAtMs > 2 * restMs;
    this.#throttledAtMs = nowMs;
    return isFirst ? firstRestMs : restMs;
  }
}
