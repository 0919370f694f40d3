/**
 * A clock for tests and simulation: time stands still until the owner moves it. Timers fire in the
 * order of their due time, those of one instant in the order they were set, and whatever promises a
 * callback settles are run to rest before the next timer fires. The same program therefore takes the
 * same steps every time.
 */
import { nextTick } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers';
import { type Clock, refuseNaN, type Timer } from '../clock.ts';
import { type Due, DueHeap, notInHeap } from '../due-heap.ts';

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
  const queue = new DueHeap<WaitingTimer>();
  const originMs = options.startMs ?? 0;
  let elapsedMs = 0;

  /** Fires one timer after the other, each once the promises of the last one are at rest. */
  const fireWhile = (mayFire: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const fireNext = (): void => {
        try {
          const timer = mayFire() ? queue.first : undefined;
          if (timer === undefined) return resolve();
          // It counts as fired from here on: cancelling it later changes nothing.
          queue.remove(timer);
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
      const waiting = { dueMs: elapsedMs + Math.max(delayMs, 0), callback, ...notInHeap };
      queue.add(waiting);
      return { cancel: () => void queue.remove(waiting) };
    },
    async advance(byMs) {
      if (!(byMs >= 0)) throw new RangeError(`time moves forward only, not by ${byMs} ms`);
      await inTurn(async () => {
        const untilMs = elapsedMs + byMs;
        await fireWhile(() => queue.first !== undefined && queue.first.dueMs <= untilMs);
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

interface WaitingTimer extends Due {
  readonly callback: () => void;
}
