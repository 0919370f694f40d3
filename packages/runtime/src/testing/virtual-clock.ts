/**
 * A clock for tests and simulation: time stands still until the owner moves it. Timers fire in the
 * order of their due time, and timers of one instant in the order they were set. Promises that a
 * callback resolves settle before the next timer fires. The same program therefore takes the same
 * steps every time.
 */
import { nextTick } from 'node:process';
import { setImmediate as nextTurn } from 'node:timers';
import { type Clock, refuseNaN, type Timer } from '../clock.ts';
import { type Due, DueHeap, notInHeap } from '../due-heap.ts';

export interface VirtualClock extends Clock {
  /** Moves time forward, and fires each timer that falls due on the way at its due time. */
  advance(byMs: number): Promise<void>;
  /** Fires timers until none is left, and returns how far time moved. Fails after `timersMax` timers. */
  runAll(options?: { readonly timersMax?: number }): Promise<number>;
  /** How many timers are waiting: a test of clean shutdown wants 0. */
  readonly pending: number;
}

/** More timers than any finite test sets. Beyond it, a timer re-arms itself endlessly. */
const timersMaxDefault = 1_000_000;

export function virtualClock(options: { readonly startMs?: number } = {}): VirtualClock {
  const queue = new DueHeap<WaitingTimer>();
  const originMs = options.startMs ?? 0;
  let elapsedMs = 0;

  /** Fires timers one by one, each after the promises of the previous one have settled. */
  const fireWhile = (mayFire: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const fireNext = (): void => {
        try {
          const timer = mayFire() ? queue.first : undefined;
          if (timer === undefined) return resolve();
          // The timer counts as fired from here on: cancelling it later changes nothing.
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

  /** Moves run one after another: concurrent moves would fire each other's timers at wrong times. */
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
 * Calls back when every promise that needs no further timer or I/O has settled. Node.js runs ticks once
 * the queue of promises is empty, so that a timer does not cost a turn of the event loop.
 */
function atRest(callback: () => void): void {
  queueMicrotask(() => nextTick(callback));
}

interface WaitingTimer extends Due {
  readonly callback: () => void;
}
