/**
 * What has to be over before the first block is handed out (P4, I8). A predecessor whose Lease expired may
 * have a write under way that gives a block to a node, and "lowest first" would give the same block to another
 * one. So the first allocation waits until that write has ended, and then for a consistent list: the cache of a
 * standby may lag behind the predecessor's last writes.
 */
import type { Leadership } from '@tandem/kube/election';
import { type Clock, type Logger, type Random, sleep } from '@tandem/runtime';

export interface BeforeAllocation {
  readonly nodes: { catchUp(signal: AbortSignal): Promise<void> };
  readonly leadership: Leadership;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

const retryMsMin = 500;
const retryMsMax = 15_000;

/** Whether the cache now shows everything that a predecessor stored; false where the signal aborted. */
export async function settlePredecessor(
  { nodes, leadership, clock, random, logger }: BeforeAllocation,
  signal: AbortSignal,
): Promise<boolean> {
  const { lastWriteMs: waitMs } = leadership;
  try {
    if (waitMs > 0) {
      const seconds = waitMs / 1_000;
      logger.info(
        { seconds },
        'Waiting to allocate until the last write of the previous leader has ended',
      );
      await sleep(clock, waitMs, signal);
    }
    for (let delayMs = retryMsMin; ; delayMs = Math.min(2 * delayMs, retryMsMax)) {
      try {
        await nodes.catchUp(signal);
        return true;
      } catch (err) {
        if (signal.aborted) return false;
        logger.warn({ err, retryMs: delayMs }, 'Could not list nodes before allocating, retrying');
        await sleep(clock, delayMs * (0.5 + random.next() / 2), signal);
      }
    }
  } catch {
    // Only the signal ends a sleep early.
    return false;
  }
}
