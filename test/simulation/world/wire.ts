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
import { oneChunk, statusResponse } from '../../support/api-faults/index.ts';
import { type Overseer, type Writer, writerNow } from '../oracle/index.ts';
import type { Interruptions, Strike } from './interruptions.ts';
import { serverMsOf, timedOut } from './late-writes.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Trace } from './trace.ts';

interface WireOptions {
  readonly cluster: EmbeddedCluster;
  readonly overseer: Overseer;
  readonly trace: Trace | undefined;
  /** The manager whose way it is; undefined for the rest of the world, whose requests take no time. */
  readonly sender: Sender | undefined;
}

interface Sender {
  readonly manager: ManagerProcess;
  readonly clock: Clock;
  readonly random: Random;
  /** Delete nodes in the midst of writes. */
  readonly interruptions: Interruptions;
  /** Where writes may be executed late. */
  readonly lateness: Lateness | undefined;
}

export interface Lateness {
  /** How long after it was taken the request is executed; undefined where that is at once. */
  meet(request: TransportRequest): number | undefined;
  /** A request was taken, and is still to be executed. */
  began(): void;
  ended(): void;
  /** How seldom events of watches are read: all that have come by then at a time. */
  watchLagMs(): number;
}

const latencyMsMax = 3;

export class Wire implements KubeTransport {
  readonly #options: WireOptions;
  /** For the trace. */
  readonly #name: string;

  constructor(options: WireOptions) {
    this.#options = options;
    this.#name = options.sender?.manager.name ?? 'world';
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { sender } = this.#options;
    request.signal.throwIfAborted();
    const refused = request.refuseAtSocket?.();
    if (refused !== undefined) throw refused;
    if (sender === undefined) return this.#answer(request);
    const { manager, clock, random, interruptions, lateness } = sender;
    await sleep(clock, random.next() * latencyMsMax, request.signal);
    if (!manager.survives(request, 'before')) return never();
    const lateMs = lateness?.meet(request);
    if (lateness !== undefined && lateMs !== undefined) {
      return this.#executedLate(request, lateMs, { ...sender, lateness });
    }
    const strike = interruptions.meet(request);
    const response =
      strike === undefined ? this.#answer(request) : this.#struck(request, strike, interruptions);
    if (!manager.survives(request, 'after')) return never();
    if (strike !== undefined) await sleep(clock, strike.answerMs, request.signal);
    return manager.isPaused ? afterPause(response, manager) : response;
  }

  async close(): Promise<void> {}

  /** The answer comes with the effect, or says that the server gave up; the effect comes whatever happens. */
  async #executedLate(
    request: TransportRequest,
    lateMs: number,
    { manager, clock, lateness }: Sender & { readonly lateness: Lateness },
  ): Promise<TransportResponse> {
    const { trace } = this.#options;
    trace?.add(this.#name, `${request.method} ${request.path} is executed ${lateMs} ms later`);
    // By then the manager may lead for another term.
    const writer = writerNow(manager);
    let response = timedOut();
    lateness.began();
    clock.after(lateMs, () => {
      lateness.ended();
      response = this.#answer(request, writer);
    });
    await sleep(clock, Math.min(lateMs, serverMsOf(request)), request.signal);
    return manager.isAlive ? afterPause(response, manager) : never();
  }

  #struck(
    request: TransportRequest,
    strike: Strike,
    interruptions: Interruptions,
  ): TransportResponse {
    const { machine, when, isRefused } = strike;
    const what = `${machine} is deleted ${when} ${request.path} takes effect`;
    this.#options.trace?.add(this.#name, what);
    if (when === 'before') interruptions.strike(strike);
    const response = isRefused ? refusal(strike) : this.#answer(request);
    if (when === 'after') interruptions.strike(strike);
    return response;
  }

  #answer(
    request: TransportRequest,
    writer: Writer | undefined = this.#options.sender && writerNow(this.#options.sender.manager),
  ): TransportResponse {
    const { cluster, overseer, trace } = this.#options;
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
    trace?.add(this.#name, `${method} ${path} ${asked.body} -> ${answer.status}`);
    const chunks = typeof answer.body === 'string' ? oneChunk(answer.body) : answer.body;
    return { status: answer.status, headers: answer.headers, body: this.#read(path, chunks) };
  }

  /** Events of nodes are read late, and in their order. What comes while a manager is paused is read when it goes on. */
  #read(path: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const { sender } = this.#options;
    if (sender?.lateness === undefined) return chunks;
    const isWatch = path.includes('/nodes?watch=');
    const read = isWatch ? delayed(chunks, sender.lateness, sender.clock) : chunks;
    return awakened(read, sender.manager);
  }

  /** Only a watch looks at it, and joining signals is not cheap. */
  #signalOf({ path, signal }: TransportRequest): AbortSignal {
    const { sender } = this.#options;
    if (sender === undefined || !path.includes('watch=')) return signal;
    return AbortSignal.any([signal, sender.manager.signal]);
  }
}

/** The process has the answer as soon as it runs. */
async function afterPause(
  response: TransportResponse,
  manager: ManagerProcess,
): Promise<TransportResponse> {
  await manager.awake();
  return response;
}

/** Another one for each who waits: one for all would keep every world that ever was. */
const never = (): Promise<never> => new Promise(() => {});
const decoder = new TextDecoder();

async function* awakened(
  chunks: AsyncIterable<Uint8Array>,
  manager: ManagerProcess,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (manager.isPaused) await manager.awake();
    yield chunk;
  }
}

async function* delayed(
  chunks: AsyncIterable<Uint8Array>,
  lateness: Lateness,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const everyMs = lateness.watchLagMs();
    const sinceMs = everyMs > 0 ? clock.monotonic() % everyMs : 0;
    if (sinceMs > 0) await sleep(clock, everyMs - sinceMs);
    yield chunk;
  }
}

/** As a webhook refuses a write. */
function refusal({ machine }: Strike): TransportResponse {
  const message = `Node "${machine}" is invalid`;
  const causes = [{ field: 'metadata.labels', message: 'Invalid value' }];
  return statusResponse({ code: 422, reason: 'Invalid', message }, { details: { causes } });
}
