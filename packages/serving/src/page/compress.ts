/**
 * Pages in gzip, for clients that accept it: a scrape is then ten times smaller. No compressed page has a secret beside
 * text that the client chose.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Reply } from '../http/reply.ts';

const compress = promisify(gzip);

/** The reply as the value of `Accept-Encoding` allows it. */
export async function compressed(reply: Reply, accepted: string | undefined): Promise<Reply> {
  const headers = { ...reply.headers, vary: 'Accept-Encoding' };
  if (!acceptsGzip(accepted)) return { ...reply, headers };
  const content = await compress(reply.body);
  return { ...reply, content, headers: { ...headers, 'content-encoding': 'gzip' } };
}

/** Only by name: a client that sends `*` may not be able to read gzip. */
function acceptsGzip(accepted = ''): boolean {
  return accepted.split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
}
