/**
 * The transport port to the embedded cluster, without sockets. Half of the latency passes before the effect of a
 * request and half after it, so that a request which its client gives up in between has had its effect, as on a
 * real network.
 */
import { type Clock, sleep } from '@tandem/runtime';
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@tandem/kube/transport';
import { admin } from '../access/index.ts';
import type { ApiAnswer, ApiRequest } from '../api/index.ts';

export interface ConnectOptions {
  /** How long an answer takes; 0 sets no timer. */
  readonly latencyMs?: number;
  /** Whether the server knows streaming lists, as since 1.34. */
  readonly hasStreamingList?: boolean;
  /**
   * An older version, which answers lists that do not insist on the newest one, as from a replica that lags.
   * Undefined while it does not lag.
   */
  readonly staleVersion?: () => number | undefined;
}

const latencyMsDefault = 1;

export class ModelTransport implements KubeTransport {
  readonly #clock: Clock;
  readonly #answer: (request: ApiRequest) => ApiAnswer;
  readonly #options: ConnectOptions;
  readonly #closing = new AbortController();

  constructor(
    ports: {
      readonly clock: Clock;
      readonly answer: (request: ApiRequest) => ApiAnswer;
    },
    options: ConnectOptions,
  ) {
    this.#clock = ports.clock;
    this.#answer = ports.answer;
    this.#options = options;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const refused = request.refuseAtSocket?.();
    if (refused !== undefined) throw refused;
    await this.#halfWay(request.signal);
    this.#closing.signal.throwIfAborted();
    const { status, headers, body } = this.#answer(this.#read(request));
    await this.#halfWay(request.signal);
    this.#closing.signal.throwIfAborted();
    return { status, headers, body: typeof body === 'string' ? new OneChunk(body) : body };
  }

  async close(): Promise<void> {
    this.#closing.abort(closed());
  }

  #halfWay(signal: AbortSignal): Promise<void> | undefined {
    const { latencyMs = latencyMsDefault } = this.#options;
    return latencyMs > 0 ? sleep(this.#clock, latencyMs / 2, signal) : undefined;
  }

  #read({ method, path, headers, body, signal }: TransportRequest): ApiRequest {
    const { hasStreamingList = true, staleVersion } = this.#options;
    const closing = this.#closing.signal;
    return {
      method,
      path,
      headers,
      body: body === undefined ? '' : typeof body === 'string' ? body : decoder.decode(body),
      user: admin,
      // Only a watch reads it, and joining signals is not cheap.
      get signal() {
        return AbortSignal.any([signal, closing]);
      },
      staleVersion: staleVersion?.(),
      hasStreamingList,
    };
  }
}

const decoder = new TextDecoder();

/** A whole body as its only chunk. A generator would take several turns of the event loop for it. */
class OneChunk implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  #text: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const text = this.#text;
    this.#text = undefined;
    return text === undefined ? ended : { done: false, value: Buffer.from(text) };
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#text = undefined;
    return ended;
  }
}

const ended = { done: true, value: undefined } as const;

function closed(): TransportError {
  return new TransportError('The connection was closed', {
    code: 'ConnectionLost',
    retry: 'backoff',
    effect: 'unknown',
  });
}
