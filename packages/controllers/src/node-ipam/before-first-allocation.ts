/**
 * Delays the first allocation until a previous leader can no longer interfere (P4, I8). A previous leader whose Lease
 * expired may still have a write in flight that gives a block to a node. This process also picks the lowest free block,
 * so it could give the same block to another node. It therefore waits until that write has ended, and then reads a list
 * that began after the wait.
 *
 * If there is nothing to wait for, a list that began after this process won the Lease is enough. The cache of a first
 * leader may be older than its Lease, so it may lack podCIDRs that nodes registered with or that another allocator gave
 * them.
 */
import type { Leadership } from '@tandem/kube/election';
import { catchUp, type CatchUpPorts } from '@tandem/kube/informer';
import { sleep } from '@tandem/runtime';

export interface BeforeAllocation extends CatchUpPorts {
  readonly nodes: {
    catchUp(signal: AbortSignal): Promise<void>;
    showsAllBefore(timeMs: number): boolean;
  };
  readonly leadership: Leadership;
}

/**
 * Resolves with true once the cache shows everything that a previous leader stored, and with false if the signal
 * aborted.
 */
export async function settlePredecessor(
  options: BeforeAllocation,
  signal: AbortSignal,
): Promise<boolean> {
  const { nodes, leadership, clock, logger } = options;
  const { lastWriteMs: waitMs, sinceMs } = leadership;
  if (waitMs === 0) return nodes.showsAllBefore(sinceMs) || catchUp(nodes, options, signal);
  const seconds = waitMs / 1_000;
  logger.info(
    { seconds },
    'Waiting to allocate until the last write of the previous leader has ended',
  );
  try {
    await sleep(clock, waitMs, signal);
  } catch {
    // Only the signal can end a sleep early.
    return false;
  }
  return catchUp(nodes, options, signal);
}
