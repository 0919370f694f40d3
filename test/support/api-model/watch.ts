/**
 * A watch on the store, as the model serves it: initial events where asked for, then changes in commit
 * order, bookmarks, an end after `timeoutSeconds`, and the traps of the real one: a version from the
 * future is answered with silence, or refused after three seconds by a streaming list.
 */
import type { Clock, Timer } from '@tandem/runtime';
import type { Route } from './route.ts';
import { refusals, statusOf } from './status.ts';
import type { Change, Store, StoredObject } from './store.ts';

const bookmarkPeriodMs = 60_000;
const futureVersionWaitMs = 3_000;

export function watchLines(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly route: Route;
  readonly signal: AbortSignal;
}): AsyncIterable<Uint8Array> {
  const { store, clock, route, signal } = options;
  const lines = new LineQueue();
  const timers: Timer[] = [];
  const { query } = route;
  const asked = Number(query.get('resourceVersion') ?? '0');

  const send = (type: string, object: object): void => lines.push({ type, object });
  const follow = (fromVersion: number): void => {
    const missed = store.changesAfter(route.collection, fromVersion);
    if (missed === undefined) {
      send('ERROR', statusOf(refusals.expired()));
      lines.end();
      return;
    }
    for (const change of missed) send(change.type, change.object);
    unsubscribe = store.onChange((collection, change: Change) => {
      if (collection === route.collection && change.version > fromVersion)
        send(change.type, change.object);
    });
    bookmarkLater();
  };
  const bookmarkLater = (): void => {
    if (query.get('allowWatchBookmarks') !== 'true') return;
    timers.push(
      clock.after(bookmarkPeriodMs, () => {
        send('BOOKMARK', bookmark(route, store.version, {}));
        bookmarkLater();
      }),
    );
  };
  let unsubscribe = (): void => {};
  const finish = (): void => {
    unsubscribe();
    for (const timer of timers) timer.cancel();
    lines.end();
  };

  const isStreamingList = query.get('sendInitialEvents') === 'true';
  if (asked > store.version) {
    // The real one answers 200 and then nothing, unless it was to list as well.
    if (isStreamingList) {
      timers.push(
        clock.after(futureVersionWaitMs, () => {
          send('ERROR', statusOf(refusals.versionTooLarge()));
          finish();
        }),
      );
    }
  } else if (isStreamingList) {
    for (const object of store.list(route.collection)) send('ADDED', object);
    send('BOOKMARK', bookmark(route, store.version, { 'k8s.io/initial-events-end': 'true' }));
    follow(store.version);
  } else {
    follow(asked === 0 ? store.version : asked);
  }
  const timeoutSeconds = Number(query.get('timeoutSeconds') ?? '1800');
  timers.push(clock.after(timeoutSeconds * 1000, finish));
  const breakOff = (): void => {
    lines.fail(signal.reason);
    finish();
  };
  if (signal.aborted) breakOff();
  signal.addEventListener('abort', breakOff, { once: true });
  return lines;
}

function bookmark(
  { kind, apiVersion }: Route,
  version: number,
  annotations: Readonly<Record<string, string>>,
): Partial<StoredObject> {
  return {
    kind,
    apiVersion,
    metadata: { name: '', resourceVersion: String(version), annotations },
  };
}

/** Lines that wait for their reader. */
class LineQueue implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #isEnded = false;
  #failure: { readonly reason: unknown } | undefined;
  #wake: () => void = () => {};

  push(value: object): void {
    if (this.#isEnded) return;
    this.#chunks.push(this.#encoder.encode(`${JSON.stringify(value)}\n`));
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** What waits is lost, as with a connection that breaks. */
  fail(reason: unknown): void {
    if (this.#isEnded) return;
    this.#chunks.length = 0;
    this.#failure = { reason };
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#failure !== undefined) throw this.#failure.reason;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
