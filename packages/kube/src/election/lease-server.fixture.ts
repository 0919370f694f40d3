/**
 * An API server for one Lease, in memory and virtual time. It has versions and conflicts as the real one,
 * and a watch that starts from the current state. A plan for each call can lose the request or the answer,
 * or answer with an error before or after the effect.
 */
import { type Clock, untilAborted, withDeadline } from '@tandem/runtime';
import { ApiError, type Call, type KubeClient } from '../client/index.ts';

export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
  readonly strategy?: string;
  readonly preferredHolder?: string;
}

export interface StoredLease {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string; readonly [field: string]: unknown };
  readonly spec: LeaseSpec;
}

/** What happens to one call, and how long its request and its answer take on the server's clock. */
export interface Passage {
  readonly fault: 'none' | 'request lost' | 'answer lost' | 'refused' | 'failed after effect';
  readonly requestMs: number;
  readonly answerMs: number;
}

export const smooth: Passage = { fault: 'none', requestMs: 0, answerMs: 0 };

export interface Connection {
  readonly plan?: (call: Call) => Passage;
  /** How long an event takes to reach a watcher; `undefined` if it never arrives. */
  readonly eventMs?: () => number | undefined;
  readonly watch?: 'allowed' | 'forbidden';
  /** The clock of the calling process, for the limit of each call. */
  readonly clock?: Clock;
  /** Runs a callback in the calling process, which may be paused or dead. */
  readonly deliver?: (callback: () => void) => void;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export class LeaseServer {
  readonly #clock: Clock;
  readonly #watchers = new Set<(type: string, lease: StoredLease) => void>();
  #version = 41;
  lease: StoredLease | undefined;
  /** Every call that arrived, with its status: `get 404`. */
  readonly calls: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Stores a record, as another elector would. */
  put(spec: LeaseSpec, metadata: Readonly<Record<string, unknown>> = {}): void {
    const type = this.lease === undefined ? 'ADDED' : 'MODIFIED';
    const version = { resourceVersion: String((this.#version += 1)) };
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...this.lease?.metadata, ...metadata, ...version },
      spec,
    };
    this.lease = lease;
    for (const tell of this.#watchers) tell(type, lease);
  }

  delete(): void {
    const { lease } = this;
    this.lease = undefined;
    if (lease !== undefined) for (const tell of this.#watchers) tell('DELETED', lease);
  }

  /** A client whose calls go through the plan. */
  connect(connection: Connection = {}): KubeClient {
    const { plan = () => smooth, deliver = (callback) => callback() } = connection;
    return {
      call: (call) => {
        const { promise, resolve } = Promise.withResolvers<Reply>();
        const { fault, requestMs, answerMs } = plan(call);
        const answer = (reply: Reply): void => {
          this.#clock.after(answerMs, () => deliver(() => resolve(reply)));
        };
        const arrive = (): void => {
          if (fault === 'refused') return answer(failure(500));
          const reply = this.#apply(call);
          if (fault === 'none') answer(reply);
          if (fault === 'failed after effect') answer(failure(504));
        };
        if (fault !== 'request lost') this.#clock.after(requestMs, arrive);
        const { clock = this.#clock } = connection;
        const { limitMs = Number.POSITIVE_INFINITY, signal } = call;
        return withDeadline({ clock, limitMs, signal }, () => promise.then(answerOrError));
      },
      open: async ({ signal }) => {
        if (connection.watch === 'forbidden') throw refusal(403);
        return { headers: {}, body: this.#watch(connection, signal) };
      },
    };
  }

  #apply({ verb, body }: Call): Reply {
    const reply = verb === 'get' ? this.#read() : this.#write(verb, asLease(body));
    this.calls.push(`${verb} ${reply.status}`);
    return reply;
  }

  #read(): Reply {
    return this.lease === undefined ? failure(404) : { status: 200, body: this.lease };
  }

  #write(verb: Call['verb'], { metadata, spec }: StoredLease): Reply {
    const present = this.lease;
    if (verb === 'create') {
      if (present !== undefined) return failure(409);
    } else {
      if (present === undefined) return failure(404);
      if (metadata.resourceVersion !== present.metadata.resourceVersion) return failure(409);
    }
    this.put(spec, metadata);
    return { status: verb === 'create' ? 201 : 200, body: this.lease };
  }

  async *#watch(connection: Connection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { eventMs = () => 0, deliver = (callback) => callback() } = connection;
    const lines: string[] = [];
    let arrival = Promise.withResolvers<void>();
    const tell = (type: string, object: StoredLease): void => {
      const lagMs = eventMs();
      if (lagMs === undefined) return;
      this.#clock.after(lagMs, () =>
        deliver(() => {
          lines.push(`${JSON.stringify({ type, object })}\n`);
          arrival.resolve();
        }),
      );
    };
    if (this.lease !== undefined) tell('ADDED', this.lease);
    this.#watchers.add(tell);
    try {
      for (;;) {
        await untilAborted(signal, arrival.promise);
        arrival = Promise.withResolvers<void>();
        for (const line of lines.splice(0)) yield new TextEncoder().encode(line);
      }
    } finally {
      this.#watchers.delete(tell);
    }
  }
}

function answerOrError({ status, body }: Reply): {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
} {
  if (status >= 400) throw refusal(status);
  return { status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
}

function failure(status: number): Reply {
  return { status, body: undefined };
}

function refusal(code: number): ApiError {
  return new ApiError(`answered with ${code}`, {
    code: 'ApiRefused',
    retry: 'backoff',
    effect: code >= 500 ? 'unknown' : 'none',
    status: { code, reason: '', message: '', causes: [], retryAfterSeconds: undefined },
  });
}

/** Not validated here. Tests on a real API server validate what an elector sends. */
function asLease(body: unknown): StoredLease {
  return structuredClone(body) as StoredLease;
}
