/**
 * Time as a port. Everything that waits, measures or stamps does so through a `Clock`, so that the
 * whole program can run in virtual time. The real clock lives here and nowhere else.
 */
import {
  clearTimeout as stopTimer,
  setImmediate as startImmediate,
  setTimeout as startTimer,
} from 'node:timers';

export interface Clock {
  /** Wall-clock milliseconds since the epoch. May jump; for timestamps only, never for durations. */
  now(): number;
  /** Milliseconds that never go back, from an arbitrary origin. For durations and deadlines. */
  monotonic(): number;
  /** Calls back once, not before `delayMs` have passed and never synchronously. */
  after(delayMs: number, callback: () => void): Timer;
}

export interface Timer {
  /** Stops a timer that has not fired. Harmless when it has, and when called twice. */
  cancel(): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    refuseNaN(delayMs);
    const dueMs = performance.now() + Math.max(delayMs, 0);
    let handle: NodeJS.Timeout;
    // Node counts from the start of its event loop's turn, so a timer of a long turn fires early.
    const arm = (): void => {
      const remainingMs = Math.max(Math.ceil(dueMs - performance.now()), 0);
      const next = (): void => (performance.now() < dueMs ? arm() : callback());
      handle = startTimer(next, Math.min(remainingMs, timerDelayMsMax));
    };
    arm();
    return { cancel: () => stopTimer(handle) };
  },
};

/** NaN would fire at once in one clock and never in another. */
export function refuseNaN(delayMs: number): void {
  if (Number.isNaN(delayMs))
    throw new RangeError('a timer needs a number of milliseconds, not NaN');
}

/** The longest delay that Node's timers take (25 days); a longer one would fire at once. */
const timerDelayMsMax = 2 ** 31 - 1;

/** Resolves after `delayMs`; rejects with the signal's reason as soon as the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * A moment on both clocks. A suspended machine stops the monotonic clock, and the wall clock may be set
 * back: the longer of the two differences is how long something may have lasted.
 */
export interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function instantOf(clock: Clock): Instant {
  return { monotonicMs: clock.monotonic(), wallMs: clock.now() };
}

export function sinceMs(clock: Clock, { monotonicMs, wallMs }: Instant): number {
  return Math.max(clock.monotonic() - monotonicMs, clock.now() - wallMs);
}

/**
 * Calls back once at the end of this turn of the event loop, after all data that had arrived was delivered.
 * For socket readers that prefer large batches. A timer would add a millisecond.
 */
export function afterTurn(callback: () => void): void {
  startImmediate(callback);
}
