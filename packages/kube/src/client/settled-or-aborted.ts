/**
 * A request's own outcome, or the signal's reason when the signal aborted and the transport did not
 * react. The transport goes first: it alone knows whether anything was sent.
 */
import type { Clock, Timer } from '@tandem/runtime';

export function settledOrAborted<T>(
  clock: Clock,
  signal: AbortSignal,
  promise: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let grace: Timer | undefined;
    const onAbort = (): void => {
      grace = clock.after(0, () => reject(signal.reason));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const unlink = (): void => {
      signal.removeEventListener('abort', onAbort);
      grace?.cancel();
    };
    promise.then(resolve, reject);
    promise.then(unlink, unlink);
  });
}
