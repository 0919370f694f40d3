/**
 * Keys that become ready later, each at most once: of two times the earlier counts, of two priorities
 * the higher. There is one timer, for the key that is due first. The heap knows where each key stands
 * in it, so that a key that is moved a thousand times is still one entry (M6).
 */
import type { Clock, Timer } from '@tandem/runtime';
import { higherPriority, type Priority } from './priority.ts';

export interface DelayedKey {
  readonly key: string;
  readonly priority: Priority;
  /** On the monotonic clock. */
  readonly dueMs: number;
}

interface Entry extends DelayedKey {
  priority: Priority;
  dueMs: number;
  /** Keys that are due at once leave in the order they were given that time. */
  sequence: number;
  position: number;
}

export class DelayLine {
  readonly #clock: Clock;
  readonly #onDue: (key: string, priority: Priority) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #heap: Entry[] = [];
  #nextSequence = 0;
  #alarm: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(clock: Clock, onDue: (key: string, priority: Priority) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#heap.length;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  add(key: string, { dueMs, priority }: Omit<DelayedKey, 'key'>): void {
    const known = this.#entries.get(key);
    if (known === undefined) {
      const position = this.#heap.length;
      this.#place({ key, dueMs, priority, sequence: this.#nextSequence++, position }, position);
      this.#siftUp(position);
    } else {
      known.priority = higherPriority(priority, known.priority);
      if (dueMs < known.dueMs) {
        known.dueMs = dueMs;
        known.sequence = this.#nextSequence++;
        this.#siftUp(known.position);
      }
    }
    this.#setAlarm();
  }

  /** Takes a key out before its time. */
  remove(key: string): DelayedKey | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#takeOut(entry);
    this.#setAlarm();
    return entry;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#entries.clear();
    this.#setAlarm();
  }

  #release(): void {
    this.#alarm = undefined;
    const nowMs = this.#clock.monotonic();
    for (let first = this.#heap[0]; first !== undefined && first.dueMs <= nowMs;) {
      this.#takeOut(first);
      this.#onDue(first.key, first.priority);
      first = this.#heap[0];
    }
    // A timer may fire a fraction too early; then the same key gets another.
    this.#setAlarm();
  }

  #setAlarm(): void {
    const dueMs = this.#heap[0]?.dueMs;
    if (dueMs === this.#alarm?.dueMs) return;
    this.#alarm?.timer.cancel();
    this.#alarm =
      dueMs === undefined
        ? undefined
        : {
            dueMs,
            timer: this.#clock.after(dueMs - this.#clock.monotonic(), () => this.#release()),
          };
  }

  #takeOut(entry: Entry): void {
    this.#entries.delete(entry.key);
    const last = this.#heap.pop();
    if (last === undefined || last === entry) return;
    this.#place(last, entry.position);
    this.#siftUp(last.position);
    this.#siftDown(last.position);
  }

  #place(entry: Entry, position: number): void {
    entry.position = position;
    this.#heap[position] = entry;
    this.#entries.set(entry.key, entry);
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
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (first === undefined || second === undefined) return false;
    return (
      first.dueMs < second.dueMs ||
      (first.dueMs === second.dueMs && first.sequence < second.sequence)
    );
  }

  #swapIfEarlier(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (first === undefined || second === undefined || !this.#isEarlier(a, b)) return false;
    this.#place(second, a);
    this.#place(first, b);
    return true;
  }
}
