/** One run of an allocation: the time until the last write to a node, and what the run used. */
import type { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import type { TimedRun } from '../contest/figures.ts';
import { hasWrittenEach, measureTimedRun } from '../contest/timed-run.ts';
import { verifyInitialized } from '../init/run.ts';
import { verifyAllocated } from './verify.ts';

/** Initialised nodes get their pod CIDRs. */
export function measureAllocation(
  cluster: Cluster,
  contender: Contender,
  count: number,
): Promise<TimedRun> {
  return measureTimedRun(cluster, contender, {
    count,
    isDone: (running, revision) => hasWrittenEach(cluster, running, { revision, count }),
    verify: () => verifyAllocated(cluster, count),
  });
}

/** New nodes are initialised and get their pod CIDRs. */
export function measureInitializationAndAllocation(
  cluster: Cluster,
  contender: Contender,
  count: number,
): Promise<TimedRun> {
  return measureTimedRun(cluster, contender, {
    count,
    isDone: async () => !(await cluster.hasUninitialized()),
    verify: async () => {
      await verifyInitialized(cluster, count);
      return verifyAllocated(cluster, count);
    },
  });
}
