/**
 * Whether and when the client retries. It always retries a read. It retries a write only if the first try
 * is known to have had no effect; otherwise the caller reads back and decides. Delays double and have
 * jitter, so that many clients do not return at the same instant.
 */
import { type Backoff, backoffDelayMs, CcmError, type Random } from '@tandem/runtime';
import { ApiError, type Call, hasStatus } from './client.ts';
import { connectionFailed, TransportError } from '../transport/index.ts';

/** As many tries as client-go makes. */
const triesMax = 10;

const backoff: Backoff = { baseMs: 100, capMs: 5_000, jitter: 0.5 };

/** Milliseconds until the next try, or `undefined` if the caller has to handle the failure. */
export function requestRetryDelayMs(
  err: unknown,
  facts: { tries: number; isRead: boolean; random: Random; retries: Call['retries'] },
): number | undefined {
  const { tries, isRead, random, retries = true } = facts;
  if (retries === false || !(err instanceof CcmError) || tries >= triesMax) return undefined;
  if (retries === 'once-reached' && err.code === connectionFailed) return undefined;
  const isPassing = err instanceof ApiError || err instanceof TransportError;
  const isSafe = isRead || err.effect === 'none';
  if (!isPassing || !isSafe || err.retry === 'never') return undefined;
  // The transport has already tried new credentials.
  if (hasStatus(err, 401)) return undefined;
  if (err.retry === 'backoff') return backoffDelayMs(backoff, tries, random);
  // Not before the time that the server named, and up to a fifth later.
  return Math.max(err.retry.afterMs, backoff.baseMs) * (1 + random.next() / 5);
}
