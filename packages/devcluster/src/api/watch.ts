/**
 * A watch: the existing objects if requested, then every change in the order of commits, bookmarks, and an end.
 * It has the traps of a real one: a watch from a future version gets no answer, a streaming list from one is
 * refused after three seconds, and a forgotten version gets an error in the stream.
 */
import type { Timer } from '@tandem/runtime';
import type { JsonObject } from '../json/index.ts';
import { type Change, type Collection, stamped, type StoredObject } from '../store/index.ts';
import { EventLines } from './event-lines.ts';
import type { ApiRequest } from './exchange.ts';
import { readWatchOptions, type WatchOptions } from './list-options.ts';
import { type Refusal, refusals, statusOf } from './refusal.ts';
import { type Presentation, representBookmark } from './represent.ts';
import type { ResourceRoute } from './route.ts';
import { readSelection, type Selection } from './selection.ts';
import { collectionOf, type ApiContext } from './api-context.ts';

const bookmarkPeriodMs = 60_000;
/** A last bookmark lets the next watch begin where this one ends. */
const lastBookmarkMs = 2_000;
const futureVersionWaitMs = 3_000;
/** Without a timeout of the client, a watch lasts between half an hour and an hour. */
const timeoutMsMin = 1_800_000;

export function watchObjects(
  context: ApiContext,
  route: ResourceRoute,
  { request, presentation }: { readonly request: ApiRequest; readonly presentation: Presentation },
): AsyncIterable<Uint8Array> {
  const options = readWatchOptions(route.query, request);
  const selection = readSelection(route);
  const watch = new Watch({ context, options, selection, presentation });
  return watch.start(collectionOf(context, route.resource), request.signal);
}

interface WatchParts {
  readonly context: ApiContext;
  readonly options: WatchOptions;
  readonly selection: Selection;
  readonly presentation: Presentation;
}

class Watch {
  readonly #parts: WatchParts;
  readonly #timers = new Set<Timer>();
  #undo: (() => void)[] = [];

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  start(collection: Collection, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const { options, context, selection } = this.#parts;
    const { version, sendInitialEvents } = options;
    const isFuture = (version ?? 0) > context.store.version;
    const isInitial = sendInitialEvents ?? (version === undefined || version === 0);
    const initial = isInitial && !isFuture ? collection.list().filter(selection.matches) : [];
    const lines = new EventLines({
      initial,
      textOf: (type, object) => this.#textOf(type, object),
      onDone: () => this.#stop(),
    });
    if (isFuture && sendInitialEvents === true) this.#refuseLater(lines);
    else this.#follow(lines, collection, isInitial && !isFuture);
    this.#endLater(lines, signal);
    return lines;
  }

  #follow(lines: EventLines, collection: Collection, isListed: boolean): void {
    const { options, context } = this.#parts;
    const newest = context.store.version;
    const from = isListed || !options.version ? newest : options.version;
    const missed = collection.changesAfter(from);
    if (missed === undefined) {
      const oldest = collection.compacted;
      lines.push(errorLine(refusals.expired(`too old resource version: ${from} (${oldest})`)));
      lines.end();
      return;
    }
    if (isListed && options.sendInitialEvents === true) this.#bookmarkEndOfList(lines, newest);
    const send = (change: Change): void => this.#send(lines, change);
    missed.forEach(send);
    this.#undo.push(
      collection.onChange((change) => {
        if (change.version > from) send(change);
      }),
    );
    this.#bookmarkLater(lines, from);
  }

  /** For this watch, an object that starts to match is added, and one that stops matching is deleted. */
  #send(lines: EventLines, { before, after, version }: Change): void {
    const { matches } = this.#parts.selection;
    const wasSeen = before !== undefined && matches(before);
    if (after !== undefined && matches(after)) {
      lines.push({ kind: 'object', type: wasSeen ? 'MODIFIED' : 'ADDED', object: after });
    } else if (wasSeen) {
      lines.push({ kind: 'object', type: 'DELETED', object: stamped(before, version) });
    }
  }

  #bookmarkEndOfList(lines: EventLines, version: number): void {
    if (!this.#parts.options.allowBookmarks) return;
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    this.#bookmark(lines, { resourceVersion: String(version), annotations });
  }

  #bookmark(lines: EventLines, metadata: JsonObject): void {
    const object = representBookmark(this.#parts.presentation, metadata);
    lines.push({ kind: 'text', text: line('BOOKMARK', JSON.stringify(object)) });
  }

  /** No bookmark is older than the future version that a watch started from. */
  #bookmarkNow(lines: EventLines, from: number): void {
    const { version } = this.#parts.context.store;
    if (version >= from) this.#bookmark(lines, { resourceVersion: String(version) });
  }

  #bookmarkLater(lines: EventLines, from: number): void {
    if (!this.#parts.options.allowBookmarks) return;
    const again = (): void => {
      this.#after(bookmarkPeriodMs, () => {
        this.#bookmarkNow(lines, from);
        again();
      });
    };
    again();
    const timeoutMs = (this.#parts.options.timeoutSeconds ?? 0) * 1000;
    if (timeoutMs > lastBookmarkMs) {
      this.#after(timeoutMs - lastBookmarkMs, () => this.#bookmarkNow(lines, from));
    }
  }

  #refuseLater(lines: EventLines): void {
    const { options, context } = this.#parts;
    this.#after(futureVersionWaitMs, () => {
      const asked = options.version ?? 0;
      lines.push(errorLine(refusals.versionTooLarge(asked, context.store.version)));
      lines.end();
    });
  }

  #endLater(lines: EventLines, signal: AbortSignal): void {
    const { options, context } = this.#parts;
    const timeoutMs =
      options.timeoutSeconds === undefined || options.timeoutSeconds === 0
        ? timeoutMsMin * (1 + context.random.next())
        : options.timeoutSeconds * 1000;
    this.#after(timeoutMs, () => lines.end());
    const onAbort = (): void => {
      this.#stop();
      lines.fail(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#undo.push(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
  }

  #after(delayMs: number, callback: () => void): void {
    const timer = this.#parts.context.clock.after(delayMs, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
  }

  #stop(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    for (const undo of this.#undo) undo();
    this.#undo = [];
  }

  #textOf(type: string, object: StoredObject): string {
    const { presentation, context } = this.#parts;
    const now = { ...presentation, nowMs: context.clock.now() };
    return line(type, context.jsonCache.of(object, now));
  }
}

function errorLine(refusal: Refusal): { readonly kind: 'text'; readonly text: string } {
  return { kind: 'text', text: line('ERROR', JSON.stringify(statusOf(refusal))) };
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
