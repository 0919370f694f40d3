/**
 * The contract of the API client, which the informer, the elector, the event recorder and the controllers
 * call. The client knows verbs and resources, deadlines, retries and the meaning of status codes. It
 * knows no kind of object and does not decode bodies.
 */
import { CcmError, type Effect, type FailureFacts } from '@tandem/runtime';
import type { ApiRequest } from './request.ts';

export interface KubeClient {
  /**
   * One request whose answer is read whole. The client retries where that is safe. Rejects with a
   * `CcmError` that names the effect, or with the reason of the caller's own signal: a call always ends
   * when its deadline passes or its signal aborts.
   */
  call(call: Call): Promise<Answer>;
  /** One request whose answer is a stream (a watch). The client never retries it. */
  open(call: StreamCall): Promise<StreamAnswer>;
}

/** An API resource, or one object of it. */
export interface Resource {
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural and in lower case: `nodes`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

export interface Call {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete';
  readonly resource: Resource;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. A string is JSON already. */
  readonly body?: unknown;
  /** Of the body. For a patch it names the kind of patch. JSON if left out. */
  readonly contentType?: string;
  /** The accepted media types, best first. JSON if left out. */
  readonly accept?: string;
  /** For the whole call: the wait for a slot, all tries and reading the answer. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Background calls wait while state changes wait. */
  readonly priority?: 'state' | 'background';
  /**
   * False if the caller handles every failure itself, as the elector does. `once-reached` if a person
   * waits for the answer: no connection to the server is reported at once. Default: true.
   */
  readonly retries?: boolean | 'once-reached';
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface StreamCall {
  readonly resource: Resource;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
  /** For the head of the answer only. The stream lives until it ends or the signal aborts. */
  readonly limitMs?: number;
  readonly signal: AbortSignal;
}

export interface StreamAnswer {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The fields of the `Status` object that the API server sends with a refusal. */
export interface ApiStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** Not empty if a validation refused the write. Empty if a `test` of a patch failed. */
  readonly causes: readonly {
    readonly reason: string;
    readonly message: string;
    readonly field: string;
  }[];
  readonly retryAfterSeconds: number | undefined;
}

/** The API server answered with a refusal. */
export class ApiError extends CcmError {
  readonly status: ApiStatus;

  constructor(message: string, facts: FailureFacts & { readonly status: ApiStatus }) {
    super(message, facts);
    this.status = facts.status;
  }
}

/** A call whose deadline passed. The effect of a write that reached the transport is unknown. */
export class CallTimedOutError extends CcmError {
  readonly limitMs: number;

  constructor(
    { method, path }: Pick<ApiRequest, 'method' | 'path'>,
    facts: { limitMs: number; server: string; effect: Effect; cause: unknown },
  ) {
    const { limitMs, server, ...failure } = facts;
    const message = `${method} ${path}: no answer from ${server} within ${Math.round(limitMs)} ms`;
    super(message, { code: 'CallTimedOut', retry: 'backoff', ...failure });
    this.limitMs = limitMs;
  }
}

/** Whether the API server answered with this status code. */
export function hasStatus(err: unknown, code: number): boolean {
  return err instanceof ApiError && err.status.code === code;
}
