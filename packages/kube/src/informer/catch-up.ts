/**
 * Makes a cache consistent before a decision that must not miss a write of another process: reads a list
 * now, and retries until one is answered. A server that cannot answer a consistent list cannot store a
 * write either, so this wait delays nothing.
 */
import {
  type Backoff,
  backoffDelayMs,
  type Clock,
  type Logger,
  type Random,
  sleep,
} from '@tandem/runtime';

export interface CatchUpPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

const backoff: Backoff = { baseMs: 500, capMs: 15_000, jitter: 0.5 };

/**
 * Whether the cache now shows everything that was stored before the call; false if the signal aborted.
 */
export async function catchUp(
  nodes: { catchUp(signal: AbortSignal): Promise<void> },
  { clock, random, logger }: CatchUpPorts,
  signal: AbortSignal,
): Promise<boolean> {
  for (let failures = 1; ; failures++) {
    const delayMs = backoffDelayMs(backoff, failures, random);
    try {
      await nodes.catchUp(signal);
      return true;
    } catch (err) {
      if (signal.aborted) return false;
      logger.warn(
        { err, retryMs: Math.round(delayMs) },
        'Could not list nodes, retrying before anything is decided',
      );
    }
    try {
      await sleep(clock, delayMs, signal);
    } catch {
      // Only the signal ends a sleep early.
      return false;
    }
  }
}
