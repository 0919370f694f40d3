/**
 * The delay after consecutive failures: it doubles each time, up to a cap. Jitter shortens it, so that
 * callers that failed together do not return together.
 */
import type { Random } from './random.ts';

export interface Backoff {
  /** After the first failure. */
  readonly baseMs: number;
  /** Never longer than this, jitter included. */
  readonly capMs: number;
  /** The random share of the delay: 0 is none of it, 1 is all of it. */
  readonly jitter: number;
}

/** The delay after this many consecutive failures, at least one. */
export function backoffDelayMs(backoff: Backoff, failures: number, random: Random): number {
  return wholeBackoffMs(backoff, failures) * (1 - backoff.jitter * random.next());
}

/** The same without jitter. */
export function wholeBackoffMs(
  { baseMs, capMs }: Omit<Backoff, 'jitter'>,
  failures: number,
): number {
  return Math.min(baseMs * 2 ** (failures - 1), capMs);
}

/**
 * The delay that a server asks for. `Retry-After` is a number of seconds or a date. Any other value is
 * ignored, because a wrong guess would overload the server or stall.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(atMs - nowMs, 0);
}
