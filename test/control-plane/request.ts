/**
 * A small HTTPS client for tests. Every request has a connection of its own and, unless it is a watch, a deadline. The
 * credentials have the authority that the server is verified against.
 */
import { once } from 'node:events';
import { request as send, type RequestOptions } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { systemClock, withDeadline } from '@tandem/runtime';

/** The server, the authority to trust, and the identity of the client. All but `server` are PEM. */
export interface Credentials {
  readonly server: string;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  /** A bearer token instead of a client certificate. */
  readonly token?: string;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly deadlineMs?: number;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A loopback server without an answer by then is paused, hung or gone. */
const deadlineMsDefault = 30_000;

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One HTTPS request on a connection of its own. Its path and headers are sent as they are. */
export function exchange(
  options: RequestOptions,
  { body, limitMs }: { readonly body?: string | undefined; readonly limitMs: number },
): Promise<RawResponse> {
  return withDeadline({ clock: systemClock, limitMs }, async (signal) => {
    const outgoing = send({ ...options, agent: false, signal });
    const answered = once(outgoing, 'response');
    outgoing.end(body);
    const [response] = await answered;
    return {
      status: response.statusCode,
      headers: response.headers,
      body: await buffer(response),
    };
  });
}

/** Sends a request and waits for the whole answer. Rejects only if there is none: every HTTP status is an answer. */
export function request(credentials: Credentials, question: ApiRequest): Promise<ApiResponse> {
  const limitMs = question.deadlineMs ?? deadlineMsDefault;
  return withDeadline({ clock: systemClock, limitMs }, async (signal) => {
    const response = await open(credentials, question, signal);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, text: (await buffer(response)).toString('utf8') };
  });
}

/** The same, but rejects if the server refuses. */
export async function requestOk(
  credentials: Credentials,
  question: ApiRequest,
): Promise<ApiResponse> {
  const answer = await request(credentials, question);
  if (answer.status < 300) return answer;
  throw new Error(`${question.method ?? 'GET'} ${question.path}: ${answer.text}`);
}

/** Sends a request and resolves when the answer begins: for watches. */
export function open(
  credentials: Credentials,
  question: ApiRequest,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const body = question.body === undefined ? '' : JSON.stringify(question.body);
  const { server, token, ...tls } = credentials;
  return new Promise((resolve, reject) => {
    const outgoing = send(new URL(question.path, server), {
      ...tls,
      agent: false,
      method: question.method ?? 'GET',
      ...(signal === undefined ? {} : { signal }),
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        'content-type': question.contentType ?? 'application/json',
        // Without a length Node drops the body of a DELETE, and its preconditions with it.
        'content-length': Buffer.byteLength(body),
      },
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
