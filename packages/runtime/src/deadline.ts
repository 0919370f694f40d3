/**
 * Deadlines and abort signals on the `Clock` port. Every external call has one. Disposing of the scope
 * removes its timer and listeners.
 */
import type { Clock } from './clock.ts';

/** The reason of a signal whose deadline passed. */
export class DeadlineExceededError extends Error {
  readonly code = 'DeadlineExceeded';
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`no answer within ${Math.round(limitMs)} ms`);
    this.name = 'DeadlineExceededError';
    this.limitMs = limitMs;
  }
}

export interface Scope extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * A signal that aborts when `limitMs` have passed, or when any of `signals` aborts, with the reason of
 * that signal. Dispose of it (`using`) as soon as the work is done. Otherwise its timer stays.
 */
export function deadline(
  clock: Clock,
  limitMs: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Scope {
  const controller = new AbortController();
  const timer = clock.after(limitMs, () => controller.abort(new DeadlineExceededError(limitMs)));
  const links = signals.filter((signal) => signal !== undefined).map(linkTo(controller));
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      timer.cancel();
      for (const unlink of links) unlink();
    },
  };
}

/**
 * Runs work under a deadline. Rejects when it passes, even if the work ignores the signal. Does not start
 * the work if the signal has aborted.
 */
export async function withDeadline<T>(
  options: { clock: Clock; limitMs: number; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using scope = deadline(options.clock, options.limitMs, options.signal);
  scope.signal.throwIfAborted();
  return await untilAborted(scope.signal, work(scope.signal));
}

/** The promise's own outcome, or a rejection with the signal's reason if that comes first. */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const unlink = (): void => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject);
    promise.then(unlink, unlink);
  });
}

/** Passes on the aborts of a signal until the returned function is called. */
function linkTo(controller: AbortController): (signal: AbortSignal) => () => void {
  return (signal) => {
    const onAbort = (): void => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  };
}
