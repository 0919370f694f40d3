/**
 * A watch as a test sees it: events one after the other, until the test has seen enough or the server
 * ends the stream.
 */
import { type Credentials, open } from './request.ts';

export interface WatchEvent<Item = unknown> {
  readonly type: string;
  readonly object: Item;
}

/**
 * Yields events as they come. Leaving the loop closes the connection; a connection that the server
 * loses ends the loop with an error.
 */
export async function* watch<Item = unknown>(
  credentials: Credentials,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<WatchEvent<Item>> {
  const response = await open(credentials, { path }, signal);
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
