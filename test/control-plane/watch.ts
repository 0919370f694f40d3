/**
 * A watch for tests: its events one by one, until the test has seen enough or the server ends the stream.
 */
import { type Credentials, open } from './request.ts';

export interface WatchEvent<Item = unknown> {
  readonly type: string;
  readonly object: Item;
}

/**
 * Yields events as they come. Leaving the loop closes the connection. A lost connection ends the loop with an error.
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
