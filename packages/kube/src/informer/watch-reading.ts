/**
 * Reads the events of one watch in order. Events before the bookmark that ends the list are collected
 * without notifying subscribers. Each later event is applied at once.
 */
import { ApiError, type ApiStatus } from '../client/index.ts';
import { keyOf, type ObjectFacts, type WatchEvent } from '../codec/index.ts';
import type { Ending, Step } from './step.ts';
import { keepList, type StepParts } from './step-parts.ts';

export class WatchReading<T extends ObjectFacts> {
  readonly #parts: Pick<StepParts<T>, 'mirror' | 'telemetry'>;
  /** When the stream was asked for, if its list is consistent and may therefore go back. */
  readonly #consistentAtMs: number | undefined;
  readonly #overtakesBefore: number;
  /** The objects of the current list. */
  #listing: Map<string, T> | undefined;
  #ending: Ending | undefined;

  constructor(
    parts: Pick<StepParts<T>, 'mirror' | 'telemetry' | 'clock'>,
    step: Exclude<Step, { kind: 'pages' }>,
  ) {
    this.#parts = parts;
    const isConsistent = step.kind === 'stream' && step.atLeast === undefined;
    this.#consistentAtMs = isConsistent ? parts.clock.monotonic() : undefined;
    this.#overtakesBefore = parts.mirror.overtakes;
    this.#listing = step.kind === 'stream' ? new Map() : undefined;
  }

  /** Set when the watch cannot continue. Later events are ignored. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Whether the list is complete, so that changes follow. */
  get isComplete(): boolean {
    return this.#listing === undefined;
  }

  take(event: WatchEvent<T>): void {
    if (this.#ending !== undefined) return;
    if (event.kind === 'error') throw refusedInStream(event.status);
    if (this.#listing === undefined) this.#apply(event);
    else this.#collect(this.#listing, event);
  }

  #apply(event: Exclude<WatchEvent<T>, { kind: 'error' }>): void {
    const { mirror, telemetry } = this.#parts;
    const isBookmark = event.kind === 'bookmark';
    const applied = isBookmark ? mirror.bookmark(event.resourceVersion) : mirror.apply(event);
    if (!isBookmark) telemetry.sawEvent(applied);
    if (applied === 'stale') this.#ending = 'stale';
  }

  #collect(listing: Map<string, T>, event: Exclude<WatchEvent<T>, { kind: 'error' }>): void {
    // Changes may arrive before the list is complete; they are part of it.
    if (event.kind === 'deleted') listing.delete(keyOf(event.object));
    else if (event.kind !== 'bookmark') listing.set(keyOf(event.object), event.object);
    else if (event.endsInitialEvents) this.#finish(listing, event.resourceVersion);
  }

  #finish(objects: Map<string, T>, resourceVersion: string): void {
    // A list that overtook this one was requested later.
    const isLatest = this.#parts.mirror.overtakes === this.#overtakesBefore;
    const consistentAtMs = this.#consistentAtMs;
    const mayGoBack = consistentAtMs !== undefined && isLatest;
    const listing = { objects, resourceVersion, mayGoBack, consistentAtMs };
    if (keepList(this.#parts, listing) === 'stale') this.#ending = 'stale';
    else this.#listing = undefined;
  }
}

/** Errors of a watch arrive inside the stream, with HTTP 200. */
function refusedInStream(status: ApiStatus): ApiError {
  const { code, message, retryAfterSeconds } = status;
  return new ApiError(`The API server ended the watch with ${code}: ${message}`, {
    code: 'WatchRefused',
    retry: retryAfterSeconds === undefined ? 'backoff' : { afterMs: retryAfterSeconds * 1000 },
    effect: 'none',
    status,
  });
}
