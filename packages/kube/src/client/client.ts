/**
 * The contract of the API client: what the informer, the elector, the event recorder and the
 * controllers call. It knows verbs and resources, deadlines, retries and the meaning of status codes;
 * it does not know any kind of object, and leaves bytes undecoded.
 */
import { CcmError, type FailureFacts } from '@tandem/runtime';

export interface KubeClient {
  /**
   * One request whose answer is read whole. Tries again by itself where that is safe. Rejects with a
   * `CcmError` that tells the effect, or with the reason of the caller's own signal.
   */
  call(call: Call): Promise<Answer>;
  /** One request whose answer is a stream (a watch). Never tries again by itself. */
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
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body; for a patch it says which kind of patch. JSON when left out. */
  readonly contentType?: string;
  /** What the answer may be, best first. JSON when left out. */
  readonly accept?: string;
  /** For everything together: waiting for a slot, all tries and reading the answer. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  /** Work in the background waits while state changes wait. */
  readonly priority?: 'state' | 'background';
  /** False where the caller deals with every failure itself, as the elector does. Default: true. */
  readonly retries?: boolean;
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
  /** For the head of the answer only; the stream lives until it ends or the signal aborts. */
  readonly limitMs?: number;
  readonly signal: AbortSignal;
}

export interface StreamAnswer {
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The chunks in their order; those that arrived together come together. */
  readonly body: AsyncIterable<readonly Uint8Array[]>;
}

/** The `Status` object that the API server sends with a refusal, as far as anybody needs it. */
export interface ApiStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** Present and non-empty when a validation refused the write; absent for a failed `test` of a patch. */
  readonly causes: readonly {
    readonly reason: string;
    readonly message: string;
    readonly field: string;
  }[];
  readonly retryAfterSeconds: number | undefined;
}

/** The API server answered, and the answer is no. */
export class ApiError extends CcmError {
  readonly status: ApiStatus;

  constructor(message: string, facts: FailureFacts & { readonly status: ApiStatus }) {
    super(message, facts);
    this.status = facts.status;
  }
}

/** Whether the API server answered with this status code. */
export function hasStatus(err: unknown, code: number): boolean {
  return err instanceof ApiError && err.status.code === code;
}
