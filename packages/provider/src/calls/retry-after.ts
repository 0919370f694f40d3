/** How long a cloud asked to be left alone, read from whatever error or answer says it. */
import { fieldOf, type Retry } from '@tandem/runtime';

/** Longer waits than this are shortened: a cloud that says "a day" would stop everything for a day. */
export const retryAfterMsMax = 600_000;

export function readRetryAfter(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value > 0)) return undefined;
  return Math.min(value, retryAfterMsMax);
}

/** `retryAfterMs` as answers have it, or `retry: { afterMs }` as a `CcmError` has it, whatever the class. */
export function retryAfterOf(err: unknown): unknown {
  return fieldOf(err, 'retryAfterMs') ?? fieldOf(fieldOf(err, 'retry'), 'afterMs');
}

/** An error of ours goes on as it is, unless it says that asking again is of no use: it always is. */
export function isKeptAsIs(retry: Retry, afterMs: number | undefined): boolean {
  if (retry === 'never') return false;
  return retry === 'backoff' ? afterMs === undefined : retry.afterMs === afterMs;
}
