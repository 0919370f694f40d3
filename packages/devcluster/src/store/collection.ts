/**
 * All objects of one resource, and the log of their changes. A collection reconstructs an older version by undoing
 * the log, so that all pages of one list show the same version and no copy is kept for them. The log is bounded:
 * older versions are gone, as after a compaction.
 */
import { keyOf, type StoredObject } from './stored-object.ts';

export interface Change {
  readonly version: number;
  readonly key: string;
  readonly before: StoredObject | undefined;
  /** Undefined when the object was deleted. */
  readonly after: StoredObject | undefined;
}

export type Listener = (change: Change) => void;

interface CollectionOptions {
  /** How many changes the log has at most; it always keeps at least half as many. */
  readonly historyMax: number;
  /** The next version of the whole store. */
  readonly nextVersion: () => number;
  /** Called after every change. */
  readonly onChange: Listener;
}

export class Collection {
  readonly #options: CollectionOptions;
  readonly #objects = new Map<string, StoredObject>();
  readonly #listeners = new Set<Listener>();
  #log: Change[] = [];
  #sortedKeys: readonly string[] | undefined;
  /** The log has forgotten the changes up to this version. */
  #compacted = 0;

  constructor(options: CollectionOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The oldest version that can still be read or watched from. */
  get compacted(): number {
    return this.#compacted;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** In the order of their keys. */
  list(): StoredObject[] {
    const objects: StoredObject[] = [];
    for (const key of this.#keys()) {
      const object = this.#objects.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  /** The objects at an older version; undefined where the log has forgotten it. */
  listAt(version: number): StoredObject[] | undefined {
    if (version < this.#compacted) return undefined;
    const undone = new Map<string, StoredObject | undefined>();
    for (let index = this.#log.length - 1; index >= 0; index--) {
      const change = this.#log[index];
      if (change === undefined || change.version <= version) break;
      undone.set(change.key, change.before);
    }
    if (undone.size === 0) return this.list();
    const current = this.list().filter((object) => !undone.has(keyOf(object)));
    const restored = [...undone.values()].filter((object) => object !== undefined);
    return [...current, ...restored].toSorted(byKey);
  }

  put(object: StoredObject): StoredObject {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    const version = this.#options.nextVersion();
    const after = stamped(object, version);
    this.#objects.set(key, after);
    if (before === undefined) this.#sortedKeys = undefined;
    this.#commit({ version, key, before, after });
    return after;
  }

  /** Returns the removed object with the version of its deletion. */
  remove(key: string): StoredObject | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    const version = this.#options.nextVersion();
    this.#objects.delete(key);
    this.#sortedKeys = undefined;
    this.#commit({ version, key, before, after: undefined });
    return stamped(before, version);
  }

  /** The changes after a version, oldest first; undefined where the log has forgotten some. */
  changesAfter(version: number): readonly Change[] | undefined {
    if (version < this.#compacted) return undefined;
    return this.#log.slice(this.#firstAfter(version));
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets every change up to a version. */
  compact(version: number): void {
    this.#log = this.#log.slice(this.#firstAfter(version));
    this.#compacted = Math.max(this.#compacted, version);
  }

  /** Replaces all objects without notifying the listeners. */
  reset(objects: Iterable<StoredObject>, version: number): void {
    this.#objects.clear();
    for (const object of objects) this.#objects.set(keyOf(object), object);
    this.#sortedKeys = undefined;
    this.#log = [];
    this.#compacted = version;
  }

  #keys(): readonly string[] {
    this.#sortedKeys ??= [...this.#objects.keys()].toSorted();
    return this.#sortedKeys;
  }

  #commit(change: Change): void {
    this.#log.push(change);
    if (this.#log.length > this.#options.historyMax) this.#forgetHalf();
    for (const listener of this.#listeners) listener(change);
    this.#options.onChange(change);
  }

  /** Forgets half of the log at a time, so that few changes pay for it. */
  #forgetHalf(): void {
    const kept = this.#log.slice(this.#log.length >> 1);
    this.#compacted = (kept[0]?.version ?? 1) - 1;
    this.#log = kept;
  }

  /** A binary search: the log is in the order of versions. */
  #firstAfter(version: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#log[middle]?.version ?? 0) > version) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The object with the version of a change, as a watch reports a deletion. */
export function stamped(object: StoredObject, version: number): StoredObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

function byKey(a: StoredObject, b: StoredObject): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
