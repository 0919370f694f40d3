/**
 * Whether, and when, the client asks again by itself. A read may always be asked again; a write only
 * when the first try is known to have had no effect, else the caller must read back and decide. The
 * delays double and are spread, so that many clients do not come back at one instant.
 */
import { type Backoff, backoffDelayMs, CcmError, type Random } from '@tandem/runtime';
import { ApiError, hasStatus } from './client.ts';
import { TransportError } from '../transport/index.ts';

/** As many tries as client-go makes. */
export const triesMax = 10;

const backoff: Backoff = { baseMs: 100, capMs: 5_000, jitter: 0.5 };

/** Milliseconds until the next try, or `undefined` when the failure is the caller's to deal with. */
export function retryDelayMs(
  err: unknown,
  { tries, isRead, random }: { tries: number; isRead: boolean; random: Random },
): number | undefined {
  if (!(err instanceof CcmError) || tries >= triesMax) return undefined;
  const isPassing = err instanceof ApiError || err instanceof TransportError;
  const isSafe = isRead || err.effect === 'none';
  if (!isPassing || !isSafe || err.retry === 'never') return undefined;
  // The transport has just tried what other credentials there are.
  if (hasStatus(err, 401)) return undefined;
  if (err.retry === 'backoff') return backoffDelayMs(backoff, tries, random);
  // Never before the time that the server named; up to a fifth after it.
  return Math.max(err.retry.afterMs, backoff.baseMs) * (1 + random.next() / 5);
}
