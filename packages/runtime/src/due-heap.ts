/**
 * A binary heap of entries by due time: the earliest first, entries of one instant in the order in which
 * they got that time. An entry knows its index, so that it can be moved and removed directly.
 */
export interface Due {
  dueMs: number;
  /** Both belong to the heap: the order of entries of one instant, and the index of the entry. */
  sequence: number;
  position: number;
}

/** The heap's fields of a new entry. */
export const notInHeap = { sequence: 0, position: -1 } as const;

export class DueHeap<Entry extends Due> {
  readonly #entries: Entry[] = [];
  #nextSequence = 0;

  get size(): number {
    return this.#entries.length;
  }

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  add(entry: Entry): void {
    entry.sequence = this.#nextSequence++;
    this.#put(entry, this.#entries.length);
    this.#siftUp(entry.position);
  }

  /** Sets an earlier time for an entry of the heap. */
  bringForward(entry: Entry, dueMs: number): void {
    entry.dueMs = dueMs;
    entry.sequence = this.#nextSequence++;
    this.#siftUp(entry.position);
  }

  /** Returns whether the entry was in the heap. */
  remove(entry: Entry): boolean {
    const { position } = entry;
    if (this.#entries[position] !== entry) return false;
    entry.position = notInHeap.position;
    const last = this.#entries.pop();
    if (last !== undefined && last !== entry) {
      this.#put(last, position);
      this.#siftUp(last.position);
      this.#siftDown(last.position);
    }
    return true;
  }

  clear(): void {
    for (const entry of this.#entries) entry.position = notInHeap.position;
    this.#entries.length = 0;
  }

  #put(entry: Entry, position: number): void {
    entry.position = position;
    this.#entries[position] = entry;
  }

  #siftUp(from: number): void {
    for (let position = from; position > 0;) {
      const parent = (position - 1) >> 1;
      if (!this.#swapIfEarlier(position, parent)) return;
      position = parent;
    }
  }

  #siftDown(from: number): void {
    for (let position = from; ;) {
      const left = 2 * position + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, position)) return;
      position = child;
    }
  }

  #isEarlier(a: number, b: number): boolean {
    const first = this.#entries[a];
    const second = this.#entries[b];
    if (first === undefined || second === undefined) return false;
    return (
      first.dueMs < second.dueMs ||
      (first.dueMs === second.dueMs && first.sequence < second.sequence)
    );
  }

  #swapIfEarlier(a: number, b: number): boolean {
    const first = this.#entries[a];
    const second = this.#entries[b];
    if (first === undefined || second === undefined || !this.#isEarlier(a, b)) return false;
    this.#put(second, a);
    this.#put(first, b);
    return true;
  }
}
