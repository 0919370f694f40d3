/**
 * The way of one process, or of all kubelets, to the API server. A request takes effect in one go, so
 * that it is known who wrote what; the one that the plan names is the last of its process, before its
 * effect or after. What a dead process waits for never comes.
 */
import { admin } from '@tandem/devcluster/access';
import type { EmbeddedCluster } from '@tandem/devcluster/model';
import type { KubeTransport, TransportRequest, TransportResponse } from '@tandem/kube/transport';
import { type Clock, type Random, sleep } from '@tandem/runtime';
import type { Actor, Overseer } from '../oracle/index.ts';
import type { Strike } from './interruptions.ts';
import type { Trace } from './trace.ts';

export interface WireOptions {
  readonly cluster: EmbeddedCluster;
  readonly overseer: Overseer;
  readonly actor: Actor;
  readonly trace: Trace | undefined;
  /** For the trace. */
  readonly name: string;
  /** Where answers take their time. */
  readonly latency?: { readonly clock: Clock; readonly random: Random };
  readonly of?: MortalProcess;
  /** Who deletes nodes in the midst of writes. */
  readonly interrupter?: Interrupter;
}

export interface Interrupter {
  /** Asked about every request. */
  meet(request: TransportRequest): Strike | undefined;
  /** Takes effect at once. */
  strike(strike: Strike): void;
}

export interface MortalProcess {
  readonly isAlive: boolean;
  /** Aborts when it dies. */
  readonly signal: AbortSignal;
  /** Asked about every request before its effect and after: it may die of it, or be dead. */
  survives(request: TransportRequest, when: 'before' | 'after'): boolean;
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
    const strike = this.#options.interrupter?.meet(request);
    const response = strike === undefined ? this.#answer(request) : this.#struck(request, strike);
    if (sender?.survives(request, 'after') === false) return never();
    if (strike !== undefined && latency !== undefined) {
      await sleep(latency.clock, strike.answerMs, request.signal);
    }
    return response;
  }

  async close(): Promise<void> {}

  #struck(request: TransportRequest, strike: Strike): TransportResponse {
    const { interrupter, trace, name } = this.#options;
    trace?.add(name, `${strike.machine} is deleted ${strike.when} ${request.path} takes effect`);
    if (strike.when === 'before') interrupter?.strike(strike);
    const response = strike.isRefused ? refusal(strike) : this.#answer(request);
    if (strike.when === 'after') interrupter?.strike(strike);
    return response;
  }

  #answer(request: TransportRequest): TransportResponse {
    const { cluster, overseer, actor, trace, name } = this.#options;
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
    const answer = overseer.during(actor, request, () => cluster.answer(asked));
    trace?.add(name, `${method} ${path} ${asked.body} -> ${answer.status}`);
    const chunks = typeof answer.body === 'string' ? oneChunk(answer.body) : answer.body;
    return { status: answer.status, headers: answer.headers, body: chunks };
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
