/** What the request handlers share: the store and its caches, and the ports for time, randomness and UIDs. */
import type { Clock, Ids, Random } from '@tandem/runtime';
import type { Resource } from '../resources/index.ts';
import type { Collection, Store } from '../store/index.ts';
import type { JsonCache } from './json-cache.ts';

export interface ApiContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly expiry: Expiry;
  readonly jsonCache: JsonCache;
}

/** The objects of a resource, without expired ones. */
export function collectionOf({ store, expiry, clock }: ApiContext, resource: Resource): Collection {
  const collection = store.collection(resource.collection);
  if (resource.ttlMs !== undefined) expiry.removeExpired(collection, clock.now());
  return collection;
}

/**
 * When objects with a time to live, which are events, expire. There is no timer: the next read removes
 * what has expired, and clients cannot see the difference.
 */
export class Expiry {
  /** In the order in which they expire: all objects live equally long after their last write. */
  readonly #expiresAtMs = new Map<string, number>();

  written(key: string, expiresAtMs: number): void {
    this.#expiresAtMs.delete(key);
    this.#expiresAtMs.set(key, expiresAtMs);
  }

  removeExpired(collection: Collection, nowMs: number): void {
    for (const [key, expiresAtMs] of this.#expiresAtMs) {
      if (expiresAtMs > nowMs) return;
      this.#expiresAtMs.delete(key);
      collection.remove(key);
    }
  }
}
