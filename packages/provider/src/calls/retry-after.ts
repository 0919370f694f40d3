/** Reads how long a cloud asks us to wait, from any error or answer that says so. */
import { fieldOf, type Retry } from '@tandem/runtime';

/** Longer waits are cut to this: a cloud that says "a day" would otherwise stop everything for a day. */
export const retryAfterMsMax = 600_000;

export function readRetryAfter(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value > 0)) return undefined;
  return Math.min(value, retryAfterMsMax);
}

/** Reads `retryAfterMs` of an answer, or `retry: { afterMs }` of a `CcmError`, whatever its class. */
export function retryAfterOf(err: unknown): unknown {
  return fieldOf(err, 'retryAfterMs') ?? fieldOf(fieldOf(err, 'retry'), 'afterMs');
}

/** Passes on our own errors unchanged, unless they say that a retry is useless: look-ups are always retried. */
export function isKeptAsIs(retry: Retry, afterMs: number | undefined): boolean {
  if (retry === 'never') return false;
  return retry === 'backoff' ? afterMs === undefined : retry.afterMs === afterMs;
}
