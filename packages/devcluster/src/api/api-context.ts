/** What the handlers of requests share: the store, and time, chance and identity as ports. */
import type { Clock, Ids, Random } from '@tandem/runtime';
import type { Resource } from '../resources/index.ts';
import type { Collection, Store } from '../store/index.ts';
import type { Expiry } from './expiry.ts';
import type { RecentTexts } from './recent-texts.ts';

export interface ApiContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly expiry: Expiry;
  readonly recentTexts: RecentTexts;
}

/** The objects of a resource, without those whose time has passed. */
export function collectionOf({ store, expiry, clock }: ApiContext, resource: Resource): Collection {
  const collection = store.collection(resource.collection);
  if (resource.ttlMs !== undefined) expiry.removeExpired(collection, clock.now());
  return collection;
}
