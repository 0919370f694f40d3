/**
 * Keys in the order they came, each at most once, any of which can leave early. Everything is O(1).
 */
export class Fifo {
  readonly #keys = new Set<string>();
  /**
   * Always at the front: what it has passed was taken. A new iterator for every key would walk over
   * the holes that taken keys leave in the set, which makes emptying a long line quadratic.
   */
  #cursor: IterableIterator<string> = this.#keys.values();

  /** How many keys left other than from the front since the cursor was made. */
  #leftEarly = 0;

  get size(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Puts the key at the end, unless it is in the line already. */
  add(key: string): void {
    this.#keys.add(key);
  }

  delete(key: string): boolean {
    const isDeleted = this.#keys.delete(key);
    if (isDeleted && ++this.#leftEarly > this.#keys.size) this.#renewCursor();
    return isDeleted;
  }

  take(): string | undefined {
    if (this.#keys.size === 0) return undefined;
    let next = this.#cursor.next();
    if (next.done === true) {
      // An iterator that has come to its end stays there, whatever is added later.
      this.#renewCursor();
      next = this.#cursor.next();
    }
    if (next.done === true) return undefined;
    this.#keys.delete(next.value);
    return next.value;
  }

  clear(): void {
    this.#keys.clear();
    this.#renewCursor();
  }

  /** A cursor that is not moved keeps every outgrown table of the set alive behind it. */
  #renewCursor(): void {
    this.#cursor = this.#keys.values();
    this.#leftEarly = 0;
  }
}
