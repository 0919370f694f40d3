/**
 * Whether the API server answers, as seen by everything that goes over the transport. Nothing is asked
 * for the sake of health as long as something else is: only when nobody has heard of the server for a
 * while is it asked for its own health. Health itself never waits for a call.
 */
import { CredentialsError } from '@tandem/kube/credentials';
import { type KubeTransport, TransportError, type TransportResponse } from '@tandem/kube/transport';
import { type Clock, deadline, DeadlineExceededError, sleep } from '@tandem/runtime';
import type { HealthOutcome } from '../serving/index.ts';

/** A server that was not heard of for so long is asked. */
const quietMsMax = 20_000;
const lookEveryMs = 5_000;
const probeLimitMs = 10_000;

/** A restart of an API server takes a few seconds, and is no news. */
const failingMsMax = 10_000;

export class ApiServerLine {
  readonly transport: KubeTransport;
  readonly #clock: Clock;
  #heardMs: number;
  /** What every request has ended with for a while. */
  #failing: { readonly sinceMs: number; readonly how: string } | undefined;

  constructor(transport: KubeTransport, clock: Clock) {
    this.#clock = clock;
    this.#heardMs = clock.monotonic();
    this.transport = {
      send: async (request) => {
        try {
          const response = await transport.send(request);
          this.#note(howAnswered(response));
          return response;
        } catch (err) {
          const how = howFailed(err, request.signal);
          if (how !== undefined) this.#note(how);
          throw err;
        }
      },
      close: () => transport.close(),
    };
  }

  check(): HealthOutcome {
    if (this.#failing === undefined) return { ok: true };
    const forMs = this.#clock.monotonic() - this.#failing.sinceMs;
    if (forMs <= failingMsMax) return { ok: true };
    return { ok: false, reason: `${this.#failing.how}, for ${Math.round(forMs / 1_000)} s` };
  }

  /** Asks the server when nobody else does, until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const quietMs = this.#clock.monotonic() - this.#heardMs;
      if (quietMs > quietMsMax) await this.#probe(signal);
      await sleep(this.#clock, lookEveryMs, signal).catch(() => undefined);
    }
  }

  async #probe(signal: AbortSignal): Promise<void> {
    using scope = deadline(this.#clock, probeLimitMs, signal);
    try {
      const probe = { method: 'GET', path: '/livez', headers: {}, signal: scope.signal } as const;
      const { body } = await this.transport.send(probe);
      for await (const chunk of body) if (chunk.length === 0) break;
    } catch {
      // Whatever it was, the wrapper has taken note of it.
    }
  }

  #note(how: string): void {
    const nowMs = this.#clock.monotonic();
    if (how === 'well') {
      this.#heardMs = nowMs;
      this.#failing = undefined;
    } else this.#failing = { sinceMs: this.#failing?.sinceMs ?? nowMs, how };
  }
}

function howAnswered({ status, headers }: TransportResponse): string {
  if (status === 401) return 'the API server does not accept our credentials';
  const isPage = /^\s*text\/html/i.test(headers['content-type'] ?? '');
  if (isPage && status < 500) return 'a web page comes in place of an answer of the API server';
  if (status >= 300 && status < 400) return `a redirect (${status}) comes in place of an answer`;
  return status >= 500 && status !== 501 ? `the API server answers ${status}` : 'well';
}

/** Undefined where nothing was learnt about the server: nobody wanted the answer, or it was not sent. */
function howFailed(err: unknown, signal: AbortSignal): string | undefined {
  if (err instanceof CredentialsError) return 'our credentials cannot be read';
  if (signal.aborted) {
    const isLate = signal.reason instanceof DeadlineExceededError;
    return isLate ? 'the API server does not answer in time' : undefined;
  }
  return err instanceof TransportError ? 'the API server cannot be reached' : undefined;
}
