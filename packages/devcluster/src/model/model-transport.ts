/**
 * A way into the embedded cluster behind the transport port, without sockets. Answers take the time of
 * the clock: half of it passes before the effect and half after, so that a request which is given up
 * in between has had its effect, as with a real network.
 */
import { type Clock, sleep } from '@tandem/runtime';
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@tandem/kube/transport';
import type { User } from '../access/index.ts';
import type { ApiAnswer, ApiRequest } from '../api/index.ts';

export interface ConnectOptions {
  /** How long an answer takes; 0 for no time at all, and no timer either. */
  readonly latencyMs?: number;
  /** Whether streaming lists are known, as from 1.34 on. */
  readonly hasStreamingList?: boolean;
  /** Who asks; an administrator where not given. */
  readonly user?: User;
  /**
   * An older version that lists which do not insist on the newest are answered from: a replica that
   * lags. Undefined while it does not.
   */
  readonly staleVersion?: () => number | undefined;
}

const latencyMsDefault = 1;

export class ModelTransport implements KubeTransport {
  readonly #clock: Clock;
  readonly #answer: (request: ApiRequest) => ApiAnswer;
  readonly #options: ConnectOptions;
  readonly #user: User;
  readonly #closing = new AbortController();

  constructor(
    world: {
      readonly clock: Clock;
      readonly answer: (request: ApiRequest) => ApiAnswer;
      readonly admin: User;
    },
    options: ConnectOptions,
  ) {
    this.#clock = world.clock;
    this.#answer = world.answer;
    this.#options = options;
    this.#user = options.user ?? world.admin;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const refused = request.refuseAtSocket?.();
    if (refused !== undefined) throw refused;
    await this.#pass(request.signal);
    const { status, headers, body } = this.#answer(this.#read(request));
    await this.#pass(request.signal);
    return { status, headers, body: typeof body === 'string' ? oneChunk(body) : body };
  }

  async close(): Promise<void> {
    this.#closing.abort(closed());
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { latencyMs = latencyMsDefault } = this.#options;
    if (latencyMs > 0) await sleep(this.#clock, latencyMs / 2, signal);
    this.#closing.signal.throwIfAborted();
  }

  #read({ method, path, headers, body, signal }: TransportRequest): ApiRequest {
    const { hasStreamingList = true, staleVersion } = this.#options;
    const closing = this.#closing.signal;
    return {
      method,
      path,
      headers,
      body: body === undefined ? '' : typeof body === 'string' ? body : decoder.decode(body),
      user: this.#user,
      // Only a watch looks at it, and joining signals is not cheap.
      get signal() {
        return AbortSignal.any([signal, closing]);
      },
      staleVersion: staleVersion?.(),
      hasStreamingList,
    };
  }
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield encoder.encode(text);
}

function closed(): TransportError {
  return new TransportError('The connection was closed', {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect: 'unknown',
  });
}
