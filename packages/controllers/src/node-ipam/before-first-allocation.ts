/**
 * What has to be over before the first block is handed out (P4, I8). A predecessor whose Lease expired may
 * have a write under way that gives a block to a node, and "lowest first" would give the same block to another
 * one. So the first allocation waits until that write has ended, and then for a list that began after the wait.
 * Without a wait, a list that began since the Lease was won will do. The term of a first leader begins on its cache,
 * which may be older, and lag behind podCIDRs that nodes registered with or that another allocator gave them.
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

/** Whether the cache now shows everything that a predecessor stored; false where the signal aborted. */
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
    // Only the signal ends a sleep early.
    return false;
  }
  return catchUp(nodes, options, signal);
}
