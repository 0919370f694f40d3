/**
 * The port through which all API traffic passes: a request goes out, a status, headers and a stream
 * of bytes come back. The real one holds keep-alive connections to an API server; tests put a model
 * of an API server, or a transport that injects faults, in its place.
 */
import { CcmError } from '@tandem/runtime';
import type { CredentialsOrigin } from '../credentials/credentials.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface KubeTransport {
  /**
   * Resolves with the head of the answer. Rejects with a `TransportError`, or with the signal's reason;
   * a signal that aborts before anything was sent gives a `TransportError` without effect where the
   * transport knows.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Ends every connection; what is under way fails. */
  close(): Promise<void>;
}

export interface TransportRequest {
  readonly method: Method;
  /** Path and query, such as `/api/v1/nodes?limit=500`. */
  readonly path: string;
  /** Names in lower case. The transport adds credentials, `user-agent` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request, and the stream of its answer, whenever it aborts. */
  readonly signal: AbortSignal;
  /**
   * Asked at the moment a socket takes the request, after any wait for a connection or handshake:
   * an error returned here keeps the request from being sent, with no effect, and `send` rejects
   * with it. This is what stops a leader that was paused from writing after its lease is lost.
   */
  readonly refuseAtSocket?: () => Error | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The chunks as they arrive. Iterating rejects with a `TransportError` when they stop too early. */
  readonly body: BodyStream;
  /** Whose credentials the server did not accept (401), where that is known: for errors. */
  readonly refused?: CredentialsOrigin | undefined;
}

export interface BodyStream extends AsyncIterable<Uint8Array> {
  /**
   * The same chunks, those that arrived in one turn of the event loop together. In place of the iteration
   * itself, not beside it. A transport without sockets has no use for it.
   */
  turns?(): AsyncIterable<readonly Uint8Array[]>;
}

/** A request that got no answer, or whose answer broke off. */
export class TransportError extends CcmError {}
