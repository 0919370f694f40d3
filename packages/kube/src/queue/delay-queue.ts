/**
 * Keys that become ready later. Each key is in the queue at most once: the earlier time and the higher
 * priority win. There is one timer, for the key that is due first. A key that is moved a thousand times
 * is still one entry of the heap (M6).
 */
import { type Clock, type Due, DueHeap, notInHeap, type Timer } from '@tandem/runtime';
import { higherPriority, type Priority } from './ready-queue.ts';

export interface DelayedKey {
  readonly key: string;
  readonly priority: Priority;
  /** On the monotonic clock. */
  readonly dueMs: number;
}

interface Entry extends Due {
  readonly key: string;
  priority: Priority;
}

export class DelayQueue {
  readonly #clock: Clock;
  readonly #onDue: (key: string, priority: Priority) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #heap = new DueHeap<Entry>();
  #alarm: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(clock: Clock, onDue: (key: string, priority: Priority) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#heap.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  add(key: string, { dueMs, priority }: Omit<DelayedKey, 'key'>): void {
    const known = this.#entries.get(key);
    if (known === undefined) {
      const entry = { key, dueMs, priority, ...notInHeap };
      this.#entries.set(key, entry);
      this.#heap.add(entry);
    } else {
      known.priority = higherPriority(priority, known.priority);
      if (dueMs < known.dueMs) this.#heap.bringForward(known, dueMs);
    }
    this.#setAlarm();
  }

  remove(key: string): DelayedKey | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#takeOut(entry);
    this.#setAlarm();
    return entry;
  }

  clear(): void {
    this.#heap.clear();
    this.#entries.clear();
    this.#setAlarm();
  }

  #release(): void {
    this.#alarm = undefined;
    const nowMs = this.#clock.monotonic();
    for (let first = this.#heap.first; first !== undefined && first.dueMs <= nowMs;) {
      this.#takeOut(first);
      this.#onDue(first.key, first.priority);
      first = this.#heap.first;
    }
    // A timer may fire a fraction too early; then the same key gets another.
    this.#setAlarm();
  }

  #setAlarm(): void {
    const dueMs = this.#heap.first?.dueMs;
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
    this.#heap.remove(entry);
  }
}
