/**
 * The keys that may run as soon as a worker is free: urgent ones first, each priority in order of
 * arrival. A waiting routine key gets every tenth turn, so that refreshing continues while a thousand
 * nodes join.
 */
import { Fifo } from './fifo.ts';

export interface ReadyKey {
  readonly key: string;
  readonly priority: Priority;
}

/** Consecutive turns of urgent keys while a routine key waits. */
export const urgentTurnsMax = 9;

export class ReadyQueue {
  readonly #urgent = new Fifo();
  readonly #routine = new Fifo();
  #urgentTurns = 0;

  get size(): number {
    return this.#urgent.size + this.#routine.size;
  }

  has(key: string): boolean {
    return this.#urgent.has(key) || this.#routine.has(key);
  }

  /** Appends a key to the queue of its priority. A routine key that becomes urgent moves. */
  add(key: string, priority: Priority): void {
    const waitsAs = this.#urgent.has(key) ? 'urgent' : 'routine';
    if (higherPriority(priority, waitsAs) === 'routine') this.#routine.add(key);
    else {
      this.#routine.delete(key);
      this.#urgent.add(key);
    }
  }

  take(): ReadyKey | undefined {
    const isTurnOfRoutine = this.#urgent.size === 0 || this.#urgentTurns >= urgentTurnsMax;
    if (isTurnOfRoutine && this.#routine.size > 0) {
      this.#urgentTurns = 0;
      return taken(this.#routine.take(), 'routine');
    }
    // Turns count only while a key of the other priority waits.
    this.#urgentTurns = this.#routine.size > 0 ? this.#urgentTurns + 1 : 0;
    return taken(this.#urgent.take(), 'urgent');
  }

  delete(key: string): boolean {
    return this.#urgent.delete(key) || this.#routine.delete(key);
  }

  clear(): void {
    this.#urgent.clear();
    this.#routine.clear();
  }
}

function taken(key: string | undefined, priority: Priority): ReadyKey | undefined {
  return key === undefined ? undefined : { key, priority };
}

/**
 * The two priorities of the work queue. Urgent is work that blocks users: a node that cannot be used
 * before it is initialised. Routine is checking what is already correct.
 */
export type Priority = 'urgent' | 'routine';

/** A key that was added twice runs once, at the higher of its priorities. */
export function higherPriority(a: Priority, b: Priority | undefined): Priority {
  return b === 'urgent' ? b : a;
}
