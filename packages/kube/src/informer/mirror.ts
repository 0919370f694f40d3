/**
 * The copy of a collection, built from lists and events: the objects, their version, and the subscribers.
 * It sends no requests. It keeps M1: every object is a state that the server had, and no object goes back
 * to an older version unless a consistent answer says that the server itself did.
 */
import { isDeepStrictEqual } from 'node:util';
import { keyOf, type ObjectFacts } from '../codec/index.ts';
import { isOlder } from '../codec/object-reader.ts';
import { Subscribers } from './subscribers.ts';

export interface Listing<T> {
  readonly objects: ReadonlyMap<string, T>;
  readonly resourceVersion: string;
  /**
   * Whether the answer was consistent and not bound to a version. Then it counts even if it is older than
   * the copy, because the server was restored.
   */
  readonly mayGoBack: boolean;
  /** When the list was asked for, on the monotonic clock, if the answer was consistent. */
  readonly consistentAtMs: number | undefined;
}

/**
 * The effect of an event. A `stale` event is older than the copy and had none: the versions of the server
 * went back.
 */
export type Applied = 'changed' | 'unchanged' | 'stale';

export class Mirror<T extends ObjectFacts> {
  /** By name, or by `namespace/name`. Only the mirror changes it. */
  readonly objects: Map<string, T> = new Map();
  readonly subscribers: Subscribers<T> = new Subscribers();
  readonly #synced = Promise.withResolvers<void>();
  #version: string | undefined;
  /** The version of a list that overtook a watch, until the watch reaches it. */
  #aheadOfWatch: string | undefined;
  #overtakes = 0;
  #consistentAtMs = Number.NEGATIVE_INFINITY;

  /** The cache holds everything up to this version. Undefined before the first list. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Resolves when the first list is in the cache and subscribers know it. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** How often a list overtook a watch. A list that began before the last one may be older. */
  get overtakes(): number {
    return this.#overtakes;
  }

  /** When the last consistent list was asked for: everything that was stored before is in the cache. */
  get consistentAtMs(): number {
    return this.#consistentAtMs;
  }

  /**
   * Takes a whole list as the state of the server. Refuses a list that is older than the copy and must
   * not be: it would restore deleted objects.
   */
  replace(listing: Listing<T>): 'replaced' | 'refused as stale' {
    const { objects, resourceVersion, mayGoBack } = listing;
    const isBack = this.#version !== undefined && isOlder(resourceVersion, this.#version);
    if (isBack && !mayGoBack) return 'refused as stale';
    // Removals come first, so that an address or providerID is free for its new owner.
    for (const key of this.objects.keys()) if (!objects.has(key)) this.#remove(key);
    for (const [key, object] of objects) this.#put(key, object);
    this.#aheadOfWatch = undefined;
    // Last, because only now the cache holds everything up to it.
    this.#version = resourceVersion;
    this.#note(listing);
    this.#synced.resolve();
    return 'replaced';
  }

  /**
   * Takes in a list that was read beside a watch. The watch continues, and its events up to the version
   * of the list are known already. A list that is older than the copy adds nothing.
   */
  overtake(listing: Omit<Listing<T>, 'mayGoBack'>): void {
    if (this.replace({ ...listing, mayGoBack: false }) === 'replaced') {
      this.#aheadOfWatch = listing.resourceVersion;
    }
    // Even if the list adds nothing, because the cache is then newer than the list.
    this.#note(listing);
    this.#overtakes += 1;
  }

  /** Takes one event of a watch. Events arrive in the order of their versions. */
  apply(event: { readonly kind: 'added' | 'modified' | 'deleted'; readonly object: T }): Applied {
    const { kind, object } = event;
    const advanced = this.bookmark(object.resourceVersion);
    if (advanced !== 'changed') return advanced;
    const key = keyOf(object);
    return kind === 'deleted' ? this.#remove(key) : this.#put(key, object);
  }

  /** Takes a bookmark: the server has sent all events up to this version. */
  bookmark(resourceVersion: string): Applied {
    if (this.#version === resourceVersion) return 'unchanged';
    if (this.#version !== undefined && isOlder(resourceVersion, this.#version)) {
      return this.#aheadOfWatch === undefined ? 'stale' : 'unchanged';
    }
    this.#aheadOfWatch = undefined;
    this.#version = resourceVersion;
    return 'changed';
  }

  #note({ consistentAtMs }: Pick<Listing<T>, 'consistentAtMs'>): void {
    if (consistentAtMs === undefined) return;
    this.#consistentAtMs = Math.max(this.#consistentAtMs, consistentAtMs);
  }

  #put(key: string, object: T): Applied {
    const before = this.objects.get(key);
    if (before !== undefined && before.uid !== object.uid) {
      // Deleted and created again while the watch was down: these are two objects.
      this.#remove(key);
      return this.#add(key, object);
    }
    if (before === undefined) return this.#add(key, object);
    const { after, isChanged } = reuseParts(before, object);
    this.objects.set(key, after);
    // Compared by content: a restored server gives the same version to another state.
    if (!isChanged) return 'unchanged';
    this.subscribers.tell({ kind: 'updated', before, after });
    return 'changed';
  }

  #add(key: string, object: T): Applied {
    this.objects.set(key, object);
    this.subscribers.tell({ kind: 'added', object });
    return 'changed';
  }

  #remove(key: string): Applied {
    const object = this.objects.get(key);
    if (object === undefined) return 'unchanged';
    this.objects.delete(key);
    this.subscribers.tell({ kind: 'deleted', object });
    return 'changed';
  }
}

/**
 * The newer object with the equal parts of the older one, so that subscribers can compare parts by
 * identity. It has changed if anything but its version differs.
 */
export function reuseParts<T extends ObjectFacts>(
  before: T,
  newer: T,
): { readonly after: T; readonly isChanged: boolean } {
  const after = { ...newer };
  let isChanged = false;
  for (const part in after) {
    if (isDeepStrictEqual(before[part], newer[part])) after[part] = before[part];
    else if (part !== 'resourceVersion') isChanged = true;
  }
  return { after, isChanged };
}
