/**
 * The end of a turn of the event loop: all that had arrived for this process has been handed over by then.
 * For what reads from real sockets and does better with much at once than with a little many times; a
 * timer would keep it waiting for a millisecond.
 */
import { setImmediate as startImmediate } from 'node:timers';

/** Calls back once, after this turn and never synchronously. */
export function afterTurn(callback: () => void): void {
  startImmediate(callback);
}
