/**
 * An index: from a value to the keys of the objects that have it. Most values belong to one object, so
 * a lone key is kept as it is and a set is made only for the second.
 */
export class IndexTable {
  readonly #keys = new Map<string, string | Set<string>>();

  add(value: string, key: string): void {
    const held = this.#keys.get(value);
    if (held === undefined) this.#keys.set(value, key);
    else if (typeof held === 'string') this.#keys.set(value, new Set([held, key]));
    else held.add(key);
  }

  remove(value: string, key: string): void {
    const held = this.#keys.get(value);
    if (held === key) this.#keys.delete(value);
    if (typeof held !== 'object') return;
    held.delete(key);
    if (held.size === 0) this.#keys.delete(value);
  }

  keysOf(value: string): readonly string[] {
    const held = this.#keys.get(value);
    if (held === undefined) return [];
    return typeof held === 'string' ? [held] : [...held];
  }

  /** How many values are known: none without an object. */
  get size(): number {
    return this.#keys.size;
  }
}
