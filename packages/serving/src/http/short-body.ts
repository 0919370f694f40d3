/**
 * Reads a body of at most a few bytes. It does not keep a longer body: the caller answers the request, which drops the rest
 * and closes the connection.
 */
import type { IncomingMessage } from 'node:http';

/** Undefined where it is longer, or breaks off. */
export function readShortBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = (text: string | undefined): void => {
      request.off('data', take);
      resolve(text);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bytesMax) end(undefined);
      else chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => end(Buffer.concat(chunks).toString('utf8')));
    request.once('close', () => end(undefined));
  });
}
