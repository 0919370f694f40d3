/**
 * Determines from every request of the transport whether the API server answers. It sends its own request for the
 * server's health only if no other request was answered for a while. Health checks never wait for a call.
 */
import { CredentialsError, type FoundCredentials, refusedMsMax } from '@tandem/kube/credentials';
import { type KubeTransport, TransportError, type TransportResponse } from '@tandem/kube/transport';
import { CcmError, type Clock, deadline, DeadlineExceededError, sleep } from '@tandem/runtime';
import type { HealthOutcome } from '@tandem/serving';

/** How long there may be no answer before it requests the server's health. */
const quietMsMax = 20_000;
const lookEveryMs = 5_000;
const probeLimitMs = 10_000;

const refused = "the API server has refused the manager's credentials (401)";
const unreadable = 'the manager has not been able to read its credentials';

/** A restart of an API server takes a few seconds and is not worth reporting. */
const failingMsMax = 10_000;

export class ApiServerConnection {
  readonly transport: KubeTransport;
  readonly #clock: Clock;
  #heardMs: number;
  /** How every request has failed since then; undefined while the server answers. */
  #failing: { readonly sinceMs: number; readonly how: string } | undefined;
  /** The time since which every answer was 401. */
  #refusedSinceMs = Number.POSITIVE_INFINITY;

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
    return { ok: false, reason: `${this.#failing.how} for ${Math.round(forMs / 1_000)} s` };
  }

  /** How every recent request has failed, in words; undefined while the server answers. */
  get problem(): string | undefined {
    return this.#failing?.how;
  }

  /**
   * Requests the server's health while there are no other requests, until the signal aborts or the server has answered
   * every request with 401 for too long.
   */
  async watch(signal: AbortSignal): Promise<'stopped' | 'refused'> {
    while (!signal.aborted) {
      if (this.#clock.monotonic() - this.#refusedSinceMs >= refusedMsMax) return 'refused';
      const quietMs = this.#clock.monotonic() - this.#heardMs;
      if (quietMs > quietMsMax) await this.#probe(signal);
      await sleep(this.#clock, lookEveryMs, signal).catch(() => undefined);
    }
    return 'stopped';
  }

  async #probe(signal: AbortSignal): Promise<void> {
    using scope = deadline(this.#clock, probeLimitMs, signal);
    try {
      const probe = { method: 'GET', path: '/livez', headers: {}, signal: scope.signal } as const;
      const { body } = await this.transport.send(probe);
      for await (const chunk of body) if (chunk.length === 0) break;
    } catch {
      // The transport has recorded the failure.
    }
  }

  #note(how: string): void {
    const nowMs = this.#clock.monotonic();
    if (how === refused) this.#refusedSinceMs = Math.min(this.#refusedSinceMs, nowMs);
    // If the credentials cannot be read, nothing was sent.
    else if (how !== unreadable) this.#refusedSinceMs = Number.POSITIVE_INFINITY;
    if (how === 'well') {
      this.#heardMs = nowMs;
      this.#failing = undefined;
    } else this.#failing = { sinceMs: this.#failing?.sinceMs ?? nowMs, how };
  }
}

function howAnswered({ status, headers }: TransportResponse): string {
  if (status === 401) return refused;
  const isPage = /^\s*text\/html/i.test(headers['content-type'] ?? '');
  if (isPage && status < 500) return 'the address of the API server has returned a web page';
  if (status >= 300 && status < 400)
    return `the address of the API server has returned a redirect (${status})`;
  return status >= 500 && status !== 501 ? `the API server has answered ${status}` : 'well';
}

/** Undefined if the failure says nothing about the server: the caller gave up, or nothing was sent. */
function howFailed(err: unknown, signal: AbortSignal): string | undefined {
  if (err instanceof CredentialsError) return unreadable;
  if (signal.aborted) {
    const isLate = signal.reason instanceof DeadlineExceededError;
    return isLate ? 'the API server has not answered in time' : undefined;
  }
  return err instanceof TransportError ? 'the API server has not been reachable' : undefined;
}

/** The end of a manager whose credentials the API server no longer accepts. */
export class CredentialsRefusedError extends CcmError {
  constructor({ server, origin }: Pick<FoundCredentials, 'server' | 'origin'>) {
    super(
      `The API server ${server} answered every request with 401 for ${refusedMsMax / 1_000} s: ` +
        `it does not accept the credentials of ${origin.name}. ${origin.remedy}`,
      { code: 'CredentialsRefused', retry: 'never', effect: 'none' },
    );
  }
}
