/**
 * The port for all API traffic: a request goes out; a status, headers and a stream of bytes come back.
 * The real transport keeps connections to an API server. Tests use a model of an API server, or a
 * transport that injects faults.
 */
import { CcmError } from '@tandem/runtime';
import type { CredentialsOrigin } from '../credentials/credentials.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface KubeTransport {
  /**
   * Resolves with the head of the answer. Rejects with a `TransportError`, or with the signal's reason.
   * If the signal aborts before anything was sent, a transport that knows this rejects with a
   * `TransportError` without effect.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Ends every connection; current requests fail. */
  close(): Promise<void>;
}

export interface TransportRequest {
  readonly method: Method;
  /** Path and query, such as `/api/v1/nodes?limit=500`. */
  readonly path: string;
  /** Names in lower case. The transport adds credentials, `user-agent` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request and the stream of its answer when it aborts. */
  readonly signal: AbortSignal;
  /**
   * Called when a socket takes the request, after any wait for a connection or handshake. An error stops
   * the request without effect, and `send` rejects with it. This stops a leader that was paused from
   * writing after it lost its Lease.
   */
  readonly refuseAtSocket?: () => Error | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes as they arrive. Iterating rejects with a `TransportError` if they stop too early. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The origin of the credentials that the server refused (401), if known, for errors. */
  readonly refused?: CredentialsOrigin | undefined;
}

/** A request that got no answer, or whose answer broke off. */
export class TransportError extends CcmError {}
