/**
 * The way of one process, or of all kubelets, to the API server. A request takes effect in one go, so
 * that it is known who wrote what; the one that the plan names is the last of its process, before its
 * effect or after. A write may be executed long after it was taken, whatever became of its sender. What a dead
 * process waits for never comes.
 */
import { admin } from '@tandem/devcluster/access';
import type { EmbeddedCluster } from '@tandem/devcluster/model';
import type { KubeTransport, TransportRequest, TransportResponse } from '@tandem/kube/transport';
import { type Clock, type Random, sleep } from '@tandem/runtime';
import { type Author, type Overseer, type Writer, writerNow } from '../oracle/index.ts';
import type { Strike } from './interruptions.ts';
import { serverMsOf, timedOut } from './late-writes.ts';
import type { Trace } from './trace.ts';

interface WireOptions {
  readonly cluster: EmbeddedCluster;
  readonly overseer: Overseer;
  /** The manager that writes, where it is one. */
  readonly author: Author | undefined;
  readonly trace: Trace | undefined;
  /** For the trace. */
  readonly name: string;
  /** Where answers take their time. */
  readonly latency?: { readonly clock: Clock; readonly random: Random };
  readonly of?: MortalProcess;
  /** Who deletes nodes in the midst of writes. */
  readonly interrupter?: Interrupter;
  /** Where writes may be executed late. */
  readonly lateness?: Lateness | undefined;
  /** How seldom events of watches are read: all that have come by then at a time. */
  readonly watchLagMs?: () => number;
}

export interface Interrupter {
  /** Asked about every request. */
  meet(request: TransportRequest): Strike | undefined;
  /** Takes effect at once. */
  strike(strike: Strike): void;
}

export interface Lateness {
  /** How long after it was taken the request is executed; undefined where that is at once. */
  meet(request: TransportRequest): number | undefined;
  /** A request was taken, and is still to be executed. */
  began(): void;
  ended(): void;
}

export interface MortalProcess {
  readonly isAlive: boolean;
  /** Whether it stands still. */
  readonly isPaused: boolean;
  /** Aborts when it dies. */
  readonly signal: AbortSignal;
  /** Asked about every request before its effect and after: it may die of it, or be dead. */
  survives(request: TransportRequest, when: 'before' | 'after'): boolean;
  /** Resolves once it runs. */
  awake(): Promise<void>;
}

const latencyMsMax = 3;

export class Wire implements KubeTransport {
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { latency, of: sender } = this.#options;
    request.signal.throwIfAborted();
    const refused = request.refuseAtSocket?.();
    if (refused !== undefined) throw refused;
    if (latency !== undefined) {
      await sleep(latency.clock, latency.random.next() * latencyMsMax, request.signal);
    }
    if (sender?.survives(request, 'before') === false) return never();
    const lateMs = this.#options.lateness?.meet(request);
    if (lateMs !== undefined) return this.#executedLate(request, lateMs);
    const strike = this.#options.interrupter?.meet(request);
    const response = strike === undefined ? this.#answer(request) : this.#struck(request, strike);
    if (sender?.survives(request, 'after') === false) return never();
    if (strike !== undefined && latency !== undefined) {
      await sleep(latency.clock, strike.answerMs, request.signal);
    }
    return sender?.isPaused === true ? this.#afterPause(response) : response;
  }

  async close(): Promise<void> {}

  /** The answer comes with the effect, or says that the server gave up; the effect comes whatever happens. */
  async #executedLate(request: TransportRequest, lateMs: number): Promise<TransportResponse> {
    const { author, lateness, latency, of: sender, trace, name } = this.#options;
    if (latency === undefined || lateness === undefined) throw new Error('nobody is late here');
    const { clock } = latency;
    trace?.add(name, `${request.method} ${request.path} is executed ${lateMs} ms later`);
    // By then its author may lead for another term.
    const writer = author && writerNow(author);
    let response = timedOut();
    lateness.began();
    clock.after(lateMs, () => {
      lateness.ended();
      response = this.#answer(request, writer);
    });
    await sleep(clock, Math.min(lateMs, serverMsOf(request)), request.signal);
    return sender?.isAlive === false ? never() : this.#afterPause(response);
  }

  /** The process has the answer as soon as it runs. */
  async #afterPause(response: TransportResponse): Promise<TransportResponse> {
    await this.#options.of?.awake();
    return response;
  }

  #struck(request: TransportRequest, strike: Strike): TransportResponse {
    const { interrupter, trace, name } = this.#options;
    trace?.add(name, `${strike.machine} is deleted ${strike.when} ${request.path} takes effect`);
    if (strike.when === 'before') interrupter?.strike(strike);
    const response = strike.isRefused ? refusal(strike) : this.#answer(request);
    if (strike.when === 'after') interrupter?.strike(strike);
    return response;
  }

  #answer(
    request: TransportRequest,
    writer: Writer | undefined = this.#options.author && writerNow(this.#options.author),
  ): TransportResponse {
    const { cluster, overseer, trace, name } = this.#options;
    const { method, path, headers, body } = request;
    const asked = {
      method,
      path,
      headers,
      body: typeof body === 'string' ? body : body === undefined ? '' : decoder.decode(body),
      user: admin,
      hasStreamingList: true,
      signal: this.#signalOf(request),
    };
    const answer = overseer.during(writer, request, () => cluster.answer(asked));
    trace?.add(name, `${method} ${path} ${asked.body} -> ${answer.status}`);
    const chunks = typeof answer.body === 'string' ? oneChunk(answer.body) : answer.body;
    const read = path.includes('/nodes?watch=') ? this.#late(chunks) : chunks;
    return { status: answer.status, headers: answer.headers, body: this.#whileAwake(read) };
  }

  /** What comes while the process stands still is read when it goes on. */
  #whileAwake(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const { of: sender, lateness } = this.#options;
    return sender === undefined || lateness === undefined ? chunks : awakened(chunks, sender);
  }

  /** Events are read late, and in their order. */
  #late(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const { lateness, latency, watchLagMs } = this.#options;
    const isOnTime = lateness === undefined || latency === undefined || watchLagMs === undefined;
    return isOnTime ? chunks : delayed(chunks, watchLagMs, latency.clock);
  }

  /** Only a watch looks at it, and joining signals is not cheap. */
  #signalOf({ path, signal }: TransportRequest): AbortSignal {
    const { of: sender } = this.#options;
    if (sender === undefined || !path.includes('watch=')) return signal;
    return AbortSignal.any([signal, sender.signal]);
  }
}

/** Another one for each who waits: one for all would keep every world that ever was. */
const never = (): Promise<never> => new Promise(() => {});
const decoder = new TextDecoder();

async function* awakened(
  chunks: AsyncIterable<Uint8Array>,
  sender: MortalProcess,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (sender.isPaused) await sender.awake();
    yield chunk;
  }
}

async function* delayed(
  chunks: AsyncIterable<Uint8Array>,
  lagMs: () => number,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const everyMs = lagMs();
    const sinceMs = everyMs > 0 ? clock.monotonic() % everyMs : 0;
    if (sinceMs > 0) await sleep(clock, everyMs - sinceMs);
    yield chunk;
  }
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** As a webhook refuses a write. */
function refusal({ machine }: Strike): TransportResponse {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Invalid',
    code: 422,
    message: `Node "${machine}" is invalid`,
    details: { causes: [{ field: 'metadata.labels', message: 'Invalid value' }] },
  };
  const headers = { 'content-type': 'application/json' };
  return { status: 422, headers, body: oneChunk(JSON.stringify(status)) };
}
