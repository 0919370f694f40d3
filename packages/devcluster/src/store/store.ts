/**
 * The memory of the embedded API server: collections of objects under one version counter. It knows neither HTTP
 * nor kinds. `restore` puts an older state back, as when an etcd is restored: versions then go back, and watches do
 * not learn of it.
 */
import { type Change, Collection } from './collection.ts';
import type { StoredObject } from './stored-object.ts';

export interface Snapshot {
  readonly version: number;
  readonly collections: ReadonlyMap<string, readonly StoredObject[]>;
}

interface StoreOptions {
  readonly historyMax?: number;
}

type StoreListener = (collection: string, change: Change) => void;

/** An hour of heartbeats in a small cluster, and a few megabytes of memory in a large one. */
const historyMaxDefault = 20_000;

export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #listeners = new Set<StoreListener>();
  readonly #historyMax: number;
  #version = 1;

  constructor({ historyMax = historyMaxDefault }: StoreOptions = {}) {
    this.#historyMax = historyMax;
  }

  /** The version of the last change. */
  get version(): number {
    return this.#version;
  }

  collection(name: string): Collection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const collection = new Collection({
      historyMax: this.#historyMax,
      nextVersion: () => ++this.#version,
      onChange: (change) => {
        for (const listener of this.#listeners) listener(name, change);
      },
    });
    this.#collections.set(name, collection);
    return collection;
  }

  /** Calls back after every change of every collection. */
  onChange(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all older versions: their pages and watches get 410. */
  compact(): void {
    for (const collection of this.#collections.values()) collection.compact(this.#version);
  }

  snapshot(): Snapshot {
    const collections = new Map(
      [...this.#collections].map(([name, collection]) => [name, collection.list()]),
    );
    return { version: this.#version, collections };
  }

  restore({ version, collections }: Snapshot): void {
    this.#version = version;
    for (const [name, collection] of this.#collections) {
      collection.reset(collections.get(name) ?? [], version);
    }
  }
}
