/** Handles one request from a socket: identifies the user, has it answered, and sends the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from '../access/index.ts';
import { type ApiAnswer, bodyBytesMax, readBytes, refusals, statusOf } from '../api/index.ts';
import type { EmbeddedCluster } from '../model/index.ts';
import { clientLeft, readBody, userOf } from './read-request.ts';

export interface Exchange {
  readonly cluster: EmbeddedCluster;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  readonly onFailure: ((failure: RequestFailure) => void) | undefined;
}

/** A request that a bug of this server kept it from answering. */
export interface RequestFailure {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly err: unknown;
}

/** Never rejects: a client that has left gets no answer. */
export async function handleRequest(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  try {
    await send(exchange, await answerOf(exchange, userOf(request)));
  } catch (err) {
    // Part of the answer was sent, or the client has left, so that no other answer can be sent.
    if (err !== clientLeft && !response.destroyed) fail(exchange, err);
    response.destroy();
  }
}

function fail({ request, onFailure }: Exchange, err: unknown): void {
  onFailure?.({ method: request.method ?? '', target: request.url ?? '/', err });
}

async function answerOf(exchange: Exchange, user: User | undefined): Promise<ApiAnswer> {
  const { request, response } = exchange;
  if (user === undefined) return refused(refusals.unauthorized());
  if (isImpersonating(request)) return refused(refusals.notImplemented('act as somebody else'));
  const body = await readBody(request);
  if (body.kind === 'tooLarge') {
    response.setHeader('connection', 'close');
    return refused(refusals.tooLarge(bodyBytesMax));
  }
  try {
    return modelAnswer(exchange, user, body.bytes);
  } catch (err) {
    fail(exchange, err);
    return refused(refusals.internal());
  }
}

/** The server refuses impersonation: as the client itself, the request would do the wrong thing. */
function isImpersonating({ headers }: IncomingMessage): boolean {
  return Object.keys(headers).some((name) => name.startsWith('impersonate-'));
}

function modelAnswer(exchange: Exchange, user: User, bytes: Buffer): ApiAnswer {
  const { cluster, request } = exchange;
  const { accept } = request.headers;
  const { contentType, text } = readBytes(bytes, request.headers['content-type']);
  return cluster.answer({
    method: request.method ?? '',
    path: request.url ?? '/',
    headers: { accept, 'content-type': contentType },
    body: text,
    user,
    // Only a watch reads it.
    get signal() {
      return signalOf(exchange);
    },
    hasStreamingList: true,
  });
}

/** Aborts when the client leaves or the server stops. */
function signalOf({ response, stopping }: Exchange): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort(clientLeft);
  stopping.addEventListener('abort', end, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', end);
    end();
  });
  if (stopping.aborted || response.destroyed) end();
  return controller.signal;
}

function refused(refusal: Parameters<typeof statusOf>[0]): ApiAnswer {
  return {
    status: refusal.code,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(statusOf(refusal)),
  };
}

async function send({ response, stopping }: Exchange, answer: ApiAnswer): Promise<void> {
  const { status, headers, body } = answer;
  if (typeof body === 'string') {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  response.writeHead(status, headers);
  // The client must see that a watch without events has begun.
  response.flushHeaders();
  try {
    for await (const chunk of body) {
      if (!response.write(chunk)) await drained(response);
    }
  } catch (err) {
    // When the server stops, a watch ends without an error.
    if (!stopping.aborted) throw err;
  }
  response.end();
}

/** Resolves when the client has read the buffered data; rejects when it has left instead. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      response.off('drain', settle);
      response.off('close', settle);
      if (response.destroyed) reject(clientLeft);
      else resolve();
    };
    response.on('drain', settle);
    response.on('close', settle);
    if (response.destroyed) settle();
  });
}
