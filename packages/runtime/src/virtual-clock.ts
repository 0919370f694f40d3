/**
 * A clock for tests and simulation: time stands still until the owner moves it. Timers fire in the
 * order of their due time, those of one instant in the order they were set, and whatever promises a
 * callback settles are run to rest before the next timer fires. The same program therefore takes the
 * same steps every time.
 */
import { nextTick } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers';
import { type Clock, refuseNaN, type Timer } from './clock.ts';

export interface VirtualClock extends Clock {
  /** Moves time forward, firing what falls due on the way at its own instant. */
  advance(byMs: number): Promise<void>;
  /** Fires timers until none is left, and says how far time moved. Fails after `timersMax` timers. */
  runAll(options?: { readonly timersMax?: number }): Promise<number>;
  /** How many timers are waiting: a test of clean shutdown wants 0. */
  readonly pending: number;
}

/** More than any finite test sets; past it something re-arms itself for ever. */
const timersMaxDefault = 1_000_000;

export function virtualClock(options: { readonly startMs?: number } = {}): VirtualClock {
  const queue = new TimerQueue();
  const originMs = options.startMs ?? 0;
  let elapsedMs = 0;

  /** Fires one timer after the other, each once the promises of the last one are at rest. */
  const fireWhile = (mayFire: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const fireNext = (): void => {
        try {
          const timer = mayFire() ? queue.pop() : undefined;
          if (timer === undefined) return resolve();
          elapsedMs = timer.dueMs;
          timer.callback();
          atRest(fireNext);
        } catch (err) {
          reject(err);
        }
      };
      nextTurn(fireNext);
    });

  /** Moves wait for each other: two at once would each fire the other's timers at wrong instants. */
  let moving: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(move: () => Promise<T>): Promise<T> => {
    const moved = moving.then(move);
    moving = moved.catch(() => {});
    return moved;
  };

  return {
    now: () => originMs + elapsedMs,
    monotonic: () => elapsedMs,
    after(delayMs, callback): Timer {
      refuseNaN(delayMs);
      const waiting = queue.push(elapsedMs + Math.max(delayMs, 0), callback);
      return { cancel: () => queue.remove(waiting) };
    },
    async advance(byMs) {
      if (!(byMs >= 0)) throw new RangeError(`time moves forward only, not by ${byMs} ms`);
      await inTurn(async () => {
        const untilMs = elapsedMs + byMs;
        await fireWhile(() => queue.nextDueMs() <= untilMs);
        elapsedMs = untilMs;
      });
    },
    runAll: ({ timersMax = timersMaxDefault } = {}) =>
      inTurn(async () => {
        const startMs = elapsedMs;
        let fired = 0;
        await fireWhile(() => {
          if (queue.size === 0) return false;
          if (fired++ < timersMax) return true;
          throw new Error(`${timersMax} timers fired and more are waiting`);
        });
        return elapsedMs - startMs;
      }),
    get pending() {
      return queue.size;
    },
  };
}

/**
 * Calls back when every promise has settled that can do so without further timers or I/O: Node.js takes
 * up ticks once the queue of promises is empty, and without a turn of the event loop for each timer.
 */
function atRest(callback: () => void): void {
  queueMicrotask(() => nextTick(callback));
}

interface WaitingTimer {
  readonly dueMs: number;
  readonly sequence: number;
  readonly callback: () => void;
  cancelled: boolean;
}

/** A binary heap by (due time, order of setting). Cancelled timers stay until they surface. */
class TimerQueue {
  readonly #heap: WaitingTimer[] = [];
  #nextSequence = 0;
  #live = 0;

  get size(): number {
    return this.#live;
  }

  push(dueMs: number, callback: () => void): WaitingTimer {
    const timer = { dueMs, sequence: this.#nextSequence++, callback, cancelled: false };
    this.#heap.push(timer);
    this.#live++;
    this.#siftUp(this.#heap.length - 1);
    return timer;
  }

  remove(timer: WaitingTimer): void {
    if (timer.cancelled) return;
    timer.cancelled = true;
    this.#live--;
  }

  nextDueMs(): number {
    this.#dropCancelled();
    return this.#heap[0]?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** The next timer, which then counts as fired: cancelling it later changes nothing. */
  pop(): WaitingTimer | undefined {
    this.#dropCancelled();
    const timer = this.#takeTop();
    if (timer !== undefined) this.remove(timer);
    return timer;
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.cancelled) this.#takeTop();
  }

  #takeTop(): WaitingTimer | undefined {
    const top = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && last !== top) {
      this.#heap[0] = last;
      this.#siftDown(0);
    }
    return top;
  }

  #siftUp(from: number): void {
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  #siftDown(from: number): void {
    for (let index = from; ;) {
      const left = 2 * index + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, index)) return;
      index = child;
    }
  }

  #isEarlier(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (first === undefined || second === undefined) return false;
    return (
      first.dueMs - second.dueMs < 0 ||
      (first.dueMs === second.dueMs && first.sequence < second.sequence)
    );
  }

  #swapIfEarlier(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (first === undefined || second === undefined || !this.#isEarlier(a, b)) return false;
    this.#heap[a] = second;
    this.#heap[b] = first;
    return true;
  }
}
