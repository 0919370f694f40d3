/**
 * How long to wait after failures in a row: twice as long each time, up to a cap. A random part is taken
 * off, so that those who failed together do not come back together.
 */
import type { Random } from './random.ts';

export interface Backoff {
  /** After the first failure. */
  readonly baseMs: number;
  /** Never longer than this, jitter included. */
  readonly capMs: number;
  /** How much of the delay is left to chance: 0 is none of it, 1 is all of it. */
  readonly jitter: number;
}

/** The delay after so many failures in a row, of which there is at least one. */
export function backoffDelayMs(backoff: Backoff, failures: number, random: Random): number {
  return wholeBackoffMs(backoff, failures) * (1 - backoff.jitter * random.next());
}

/** The same without chance. */
export function wholeBackoffMs(
  { baseMs, capMs }: Omit<Backoff, 'jitter'>,
  failures: number,
): number {
  return Math.min(baseMs * 2 ** (failures - 1), capMs);
}
