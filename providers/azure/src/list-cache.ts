/**
 * Caches Azure's lists while they are recent enough for a look-up. Lists are large and few, and nodes are
 * looked up at different times, so nodes share them. A failed list is remembered only for the current look-up, and does
 * not affect the other lists of that look-up (P3).
 */
import type { Clock } from '@tandem/runtime';
import { AzureError } from './failure.ts';

export type Reading<T> =
  | { readonly kind: 'read'; readonly value: T; readonly asOfMs: number }
  | { readonly kind: 'failed'; readonly err: AzureError };

/** Reads the list of a place, at most once in a look-up. */
export type Read<Place, T> = (place: Place) => Promise<Reading<T>>;

export interface ListCacheOptions<Place, T> {
  readonly clock: Clock;
  readonly keyOf: (place: Place) => string;
  readonly load: (place: Place, signal: AbortSignal) => Promise<T>;
}

/**
 * The maximum number of lists, more than a cluster has resource groups and scale sets. Beyond it, the oldest is
 * dropped.
 */
const listsMax = 1_000;

export class ListCache<Place, T> {
  readonly #options: ListCacheOptions<Place, T>;
  readonly #known = new Map<string, Reading<T> & { readonly kind: 'read' }>();

  constructor(options: ListCacheOptions<Place, T>) {
    this.#options = options;
  }

  /** Opens the cache for one look-up, which accepts lists younger than `maxAgeMs`. With 0, it reads every list now. */
  open(options: { readonly maxAgeMs: number; readonly signal: AbortSignal }): Read<Place, T> {
    const sinceMs = this.#options.clock.monotonic() - options.maxAgeMs;
    const own = new Map<string, Promise<Reading<T>>>();
    return (place) => {
      const key = this.#options.keyOf(place);
      const known = own.get(key);
      if (known !== undefined) return known;
      const kept = this.#known.get(key);
      const isYoung = kept !== undefined && kept.asOfMs > sinceMs;
      const reading = isYoung ? Promise.resolve(kept) : this.#load(key, place, options.signal);
      own.set(key, reading);
      return reading;
    };
  }

  async #load(key: string, place: Place, signal: AbortSignal): Promise<Reading<T>> {
    // Taken before the call, because the list may lack changes that happen during the call.
    const asOfMs = this.#options.clock.monotonic();
    try {
      const value = await this.#options.load(place, signal);
      const reading = { kind: 'read', value, asOfMs } as const;
      this.#known.delete(key);
      this.#known.set(key, reading);
      this.#forgetOldest();
      return reading;
    } catch (err) {
      if (!(err instanceof AzureError)) throw err;
      return { kind: 'failed', err };
    }
  }

  #forgetOldest(): void {
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= listsMax) return;
      this.#known.delete(oldest);
    }
  }
}

/** Returns the list, or throws if it could not be read. */
export function valueOf<T>(reading: Reading<T>): { readonly value: T; readonly asOfMs: number } {
  if (reading.kind === 'failed') throw reading.err;
  return reading;
}
