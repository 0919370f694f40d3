/**
 * Writes answers. A request is answered even if its body was not read, because hardly any page takes a body. The
 * connection then closes a moment later, so that a client that is still sending sees the answer and not a reset.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@tandem/runtime';
import type { Reply } from './reply.ts';

/** How long a client may continue to send after its answer. An earlier reset could destroy the answer. */
const lingerMs = 1_000;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function respond({ request, response }: Exchange, reply: Reply, clock: Clock): void {
  const { status, contentType, body, headers = {} } = reply;
  const content = reply.content ?? Buffer.from(body, 'utf8');
  const takesBody = hasBody(request);
  response.writeHead(status, {
    ...headers,
    'content-type': contentType,
    // With 304, the header would have to be the length of the page, which is not sent.
    ...(status === 304 ? {} : { 'content-length': content.length }),
    'cache-control': 'no-cache, private',
    'x-content-type-options': 'nosniff',
    ...(takesBody ? { connection: 'close' } : {}),
  });
  if (request.method !== 'HEAD') response.write(content);
  else response.flushHeaders();
  if (takesBody) endLater({ request, response }, clock);
  else response.end();
}

function hasBody({ headers, readableEnded }: IncomingMessage): boolean {
  if (readableEnded) return false;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function endLater({ request, response }: Exchange, clock: Clock): void {
  const timer = clock.after(lingerMs, () => end());
  const end = (): void => {
    timer.cancel();
    if (!response.writableEnded) response.end();
  };
  request.once('end', end);
  request.once('close', end);
  // This drops the rest of the request as it arrives.
  request.resume();
}

/**
 * Answers requests that cannot be read: headers that are too large or too slow, lengths that contradict each other,
 * garbage. Each gets one short answer, and the connection is closed.
 */
export function refuseBadRequest(clock: Clock): (err: Error, socket: Duplex) => void {
  // What follows a bad request is also bad, and gets no second answer.
  const answered = new WeakSet<Duplex>();
  return (err, socket) => {
    if (answered.has(socket)) return;
    answered.add(socket);
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const status = statuses.get('code' in err ? String(err.code) : '') ?? '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const timer = clock.after(lingerMs, () => socket.destroy());
    socket.once('close', () => timer.cancel());
  };
}

const statuses: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
