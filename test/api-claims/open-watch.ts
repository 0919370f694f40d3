/** A watch for claims, which take its events one by one. */
import assert from 'node:assert/strict';
import type { KubeTransport } from '@tandem/kube/transport';

interface WatchEvent {
  readonly type: string;
  readonly object: ReturnType<typeof JSON.parse>;
}

export interface OpenWatch {
  readonly status: number;
  /** The next event; undefined where the server has ended the watch. */
  next(): Promise<WatchEvent | undefined>;
  /** The next events, as many as given. */
  take(count: number): Promise<WatchEvent[]>;
  /** All events until the server ends the watch. */
  rest(): Promise<WatchEvent[]>;
  close(): void;
}

export async function openWatch(
  transport: KubeTransport,
  path: string,
  accept = 'application/json',
): Promise<OpenWatch> {
  const abort = new AbortController();
  const headers = { accept };
  const response = await transport.send({ method: 'GET', path, headers, signal: abort.signal });
  const events = eventsOf(response.body);
  const next = async (): Promise<WatchEvent | undefined> => (await events.next()).value;
  const rest = async (): Promise<WatchEvent[]> => {
    const seen: WatchEvent[] = [];
    for (let event = await next(); event !== undefined; event = await next()) seen.push(event);
    return seen;
  };
  return {
    status: response.status,
    next,
    rest,
    async take(count) {
      const seen: WatchEvent[] = [];
      while (seen.length < count) {
        const event = await next();
        assert.ok(event, `the watch ended after ${seen.length} of ${count} events`);
        seen.push(event);
      }
      return seen;
    },
    close: () => abort.abort(new Error('the claim has seen enough')),
  };
}

async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
  return undefined;
}

/** `ADDED name`, for short. */
export function brief({ type, object }: WatchEvent): string {
  return `${type} ${object.metadata?.name ?? ''}`.trim();
}
