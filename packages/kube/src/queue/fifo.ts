/**
 * Keys in order of arrival, each at most once. Any key can leave early. All operations are O(1).
 */
export class Fifo {
  readonly #keys = new Set<string>();
  /**
   * Always at the front of the set. A new iterator for every key would pass over the gaps that taken keys
   * leave in the set, which makes emptying a long line quadratic.
   */
  #cursor: IterableIterator<string> = this.#keys.values();

  /** How many keys left early since the cursor was created. */
  #leftEarly = 0;

  get size(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Appends the key unless it is in the line already. */
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
      // An iterator that has ended stays ended, even if keys are added.
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

  /** A cursor that does not move keeps every outgrown table of the set alive. */
  #renewCursor(): void {
    this.#cursor = this.#keys.values();
    this.#leftEarly = 0;
  }
}
