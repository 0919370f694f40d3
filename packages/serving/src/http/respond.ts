/**
 * Writing an answer. A request whose body has not been read is answered all the same: hardly anything
 * here takes one. The connection then closes, a moment later, so that a client that is still sending
 * sees the answer and not a reset.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@tandem/runtime';
import type { Reply } from './reply.ts';

/** How long a client may go on sending a body that the server discards. */
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
    // The length of a page that is not sent would be that of the page.
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
  // The bytes are dropped as they come.
  request.resume();
}
