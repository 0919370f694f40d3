/** How long a failed key waits before its next run. */
import { type Backoff, backoffDelayMs, type Random, type Retry } from '@tandem/runtime';

/**
 * Upstream starts at 5 ms and ends at 1,000 s, but there the next status write of the kubelet enqueues the
 * node again. Here, events that change nothing enqueue nothing, so the cap itself has to be bearable.
 */
export const backoffDefault: Backoff = { baseMs: 100, capMs: 60_000, jitter: 0.5 };

/**
 * The delay after an error with `retry: 'never'`, such as a refusal. Permissions return and objects change,
 * so the queue never gives a key up. It equals the longest back-off.
 */
export const slowRetryMs = 60_000;

/** The delay after an error with this `retry`, given the number of failures in a row (at least one). */
export function retryDelayMs(
  backoff: Backoff,
  { retry, failures }: { readonly retry: Retry; readonly failures: number },
  random: Random,
): number {
  if (retry === 'never') return askedDelayMs(backoff, slowRetryMs, random);
  // Zero and NaN count as no requested delay.
  const isAsked = typeof retry === 'object' && retry.afterMs > 0;
  return isAsked
    ? askedDelayMs(backoff, retry.afterMs, random)
    : backoffDelayMs(backoff, failures, random);
}

/**
 * A delay that a server requests is a lower bound, so jitter only lengthens it. Requests are capped at ten
 * minutes, so that a faulty server cannot block a key.
 */
export function askedDelayMs(backoff: Backoff, afterMs: number, random: Random): number {
  const askedMs = Math.min(afterMs, askedMsMax);
  return askedMs + Math.min(askedMs, backoff.capMs) * askedJitter * random.next();
}

const askedMsMax = 10 * 60_000;

/** Longer than any regular interval, such as the renewal of an event, so that no key waits forever. */
export const delayMsMax = 3_600_000;

/** The share of the requested delay: enough to spread keys that were all given the same second. */
const askedJitter = 0.1;
