/**
 * The memory of the API server model: objects, one global version counter and the log of changes that
 * watches read. It knows no HTTP. A snapshot can be put back, as when an etcd is restored.
 */
export interface StoredObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface Change {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object after the change; what it was last, with the version of its deletion, when deleted. */
  readonly object: StoredObject;
}

export interface Snapshot {
  readonly version: number;
  readonly collections: ReadonlyMap<string, ReadonlyMap<string, StoredObject>>;
}

export class Store {
  #version = 1;
  #compacted = 0;
  readonly #collections = new Map<string, Map<string, StoredObject>>();
  readonly #logs = new Map<string, Change[]>();
  readonly #pins = new Map<string, readonly StoredObject[]>();
  readonly #listeners = new Set<(collection: string, change: Change) => void>();

  get version(): number {
    return this.#version;
  }

  get compacted(): number {
    return this.#compacted;
  }

  /** The list of a version that more pages may be asked of; nothing where it has been forgotten. */
  pinned(collection: string, version: number): readonly StoredObject[] | undefined {
    return this.#pins.get(`${version}/${collection}`);
  }

  /** Keeps the list of a version, whatever changes, until it is compacted away. */
  pin(collection: string, version: number, list: readonly StoredObject[]): void {
    this.#pins.set(`${version}/${collection}`, list);
    const [oldest] = this.#pins.keys();
    if (this.#pins.size > pinsMax && oldest !== undefined) this.#pins.delete(oldest);
  }

  list(collection: string): StoredObject[] {
    const objects = this.#collections.get(collection) ?? new Map<string, StoredObject>();
    return [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  find(collection: string, key: string): StoredObject | undefined {
    return this.#collections.get(collection)?.get(key);
  }

  put(collection: string, key: string, object: StoredObject): StoredObject {
    const isNew = this.find(collection, key) === undefined;
    const stored = this.#stamp(object);
    this.#objectsOf(collection).set(key, stored);
    this.#append(collection, isNew ? 'ADDED' : 'MODIFIED', stored);
    return stored;
  }

  remove(collection: string, key: string): StoredObject | undefined {
    const object = this.find(collection, key);
    if (object === undefined) return undefined;
    const last = this.#stamp(object);
    this.#objectsOf(collection).delete(key);
    this.#append(collection, 'DELETED', last);
    return last;
  }

  /** The changes after a version; nothing where they have been compacted away. */
  changesAfter(collection: string, version: number): readonly Change[] | undefined {
    if (version < this.#compacted) return undefined;
    return (this.#logs.get(collection) ?? []).filter((change) => change.version > version);
  }

  onChange(listener: (collection: string, change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  compact(): void {
    this.#compacted = this.#version;
    this.#logs.clear();
    for (const key of this.#pins.keys()) {
      if (Number.parseInt(key, 10) < this.#compacted) this.#pins.delete(key);
    }
  }

  snapshot(): Snapshot {
    const collections = new Map([...this.#collections].map(([name, map]) => [name, new Map(map)]));
    return { version: this.#version, collections };
  }

  /** Puts an older state back. Versions go back with it, and nobody who watches is told. */
  restore({ version, collections }: Snapshot): void {
    this.#version = version;
    this.#compacted = version;
    this.#logs.clear();
    this.#pins.clear();
    this.#collections.clear();
    for (const [name, map] of collections) this.#collections.set(name, new Map(map));
  }

  #stamp(object: StoredObject): StoredObject {
    this.#version++;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
  }

  #append(collection: string, type: Change['type'], object: StoredObject): void {
    const change = { version: this.#version, type, object };
    const log = this.#logs.get(collection) ?? [];
    log.push(change);
    this.#logs.set(collection, log);
    for (const listener of this.#listeners) listener(collection, change);
  }

  #objectsOf(collection: string): Map<string, StoredObject> {
    const objects = this.#collections.get(collection) ?? new Map<string, StoredObject>();
    this.#collections.set(collection, objects);
    return objects;
  }
}

/** Lists that are read in pages at once; an older one is forgotten, as by a compaction. */
const pinsMax = 100;
