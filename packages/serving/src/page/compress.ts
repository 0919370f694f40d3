/**
 * Compresses pages with gzip for clients that accept it, which makes a scrape ten times smaller. No compressed page
 * has a secret beside text that the client chose, so its size reveals nothing.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Reply } from '../http/reply.ts';

const compress = promisify(gzip);

/** Returns the reply in an encoding that the value of `Accept-Encoding` allows. */
export async function compressed(reply: Reply, accepted: string | undefined): Promise<Reply> {
  const headers = { ...reply.headers, vary: 'Accept-Encoding' };
  if (!acceptsGzip(accepted)) return { ...reply, headers };
  const content = await compress(reply.body);
  return { ...reply, content, headers: { ...headers, 'content-encoding': 'gzip' } };
}

/** Returns whether the header names gzip. A client that sends `*` may not be able to read gzip. */
function acceptsGzip(accepted = ''): boolean {
  return accepted.split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
}
