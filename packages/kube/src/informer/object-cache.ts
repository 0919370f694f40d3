/**
 * The objects that are known, by key and by index. It keeps one projection an object and nothing that
 * outlives it.
 */
import { IndexTable } from './index-table.ts';

/** Gives the value under which an object is found, or `undefined` where it has none. */
export type IndexOf<T> = (object: T) => string | undefined;

/** What to find objects by, each index under its name. */
export type IndexesOf<T, Index extends string> = Readonly<Record<Index, IndexOf<T>>>;

export class ObjectCache<T, Index extends string = string> {
  readonly #objects = new Map<string, T>();
  readonly #indexes: readonly {
    readonly name: string;
    readonly of: IndexOf<T>;
    table: IndexTable;
  }[];

  constructor(indexes: IndexesOf<T, Index> | undefined) {
    const named: [string, IndexOf<T>][] = Object.entries(indexes ?? {});
    this.#indexes = named.map(([name, of]) => ({ name, of, table: new IndexTable() }));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  /** All objects that have this value, in no particular order. */
  find(index: Index, value: string): T[] {
    const table = this.#indexes.find(({ name }) => name === index)?.table;
    return (table?.keysOf(value) ?? []).flatMap((key) => this.#objects.get(key) ?? []);
  }

  set(key: string, object: T): void {
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const { of, table } of this.#indexes) {
      const from = before === undefined ? undefined : of(before);
      const to = of(object);
      if (from === to) continue;
      if (from !== undefined) table.remove(from, key);
      if (to !== undefined) table.add(to, key);
    }
  }

  delete(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#objects.delete(key);
    for (const { of, table } of this.#indexes) {
      const from = of(before);
      if (from !== undefined) table.remove(from, key);
    }
  }
}
