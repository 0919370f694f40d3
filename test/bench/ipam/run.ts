/** One run of an allocation: the time until the last write to a node, and what the run used. */
import type { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { describeRun, type TimedRun } from '../contest/figures.ts';
import { requestsBetween, writesIn } from '../contest/requests.ts';
import { type StartedContender, untilDone, usageAtRest, withContender } from '../contest/run.ts';
import { verifyInitialized } from '../init/verify.ts';
import { RevisionLog } from './revision-log.ts';
import { verifyAllocated } from './verify.ts';

/** Initialised nodes get their pod CIDRs. */
export function measureAllocation(
  cluster: Cluster,
  contender: Contender,
  count: number,
): Promise<TimedRun> {
  return measureRun(cluster, contender, {
    count,
    // The revision costs the API server nothing, but counts the writes of Leases. With a low rate limit
    // these are many, so the API server's own counts decide as soon as there may be enough writes.
    isDone: async (running, revision) =>
      revision - running.before.revision >= count && (await writesSince(cluster, running)) >= count,
    verify: () => verifyAllocated(cluster, count),
  });
}

/** New nodes are initialised and get their pod CIDRs. */
export function measureInitializationAndAllocation(
  cluster: Cluster,
  contender: Contender,
  count: number,
): Promise<TimedRun> {
  return measureRun(cluster, contender, {
    count,
    isDone: async () => !(await cluster.hasUninitialized()),
    verify: async () => {
      await verifyInitialized(cluster, count);
      return verifyAllocated(cluster, count);
    },
  });
}

async function writesSince(cluster: Cluster, { before }: StartedContender): Promise<number> {
  return writesIn(requestsBetween(before.counts, await cluster.requestCounts()));
}

interface Work {
  readonly count: number;
  /** Whether nearly all is done, given etcd's latest revision; the contender does the rest before it rests. */
  readonly isDone: (running: StartedContender, revision: number) => Promise<boolean>;
  /** Gives the revision of the last write to a node. */
  readonly verify: () => Promise<number>;
}

function measureRun(cluster: Cluster, contender: Contender, work: Work): Promise<TimedRun> {
  return withContender(cluster, contender, async (running) => {
    const log = new RevisionLog(cluster);
    const measure = async (): Promise<TimedRun> => {
      await untilDone(cluster.ports, () => work.isDone(running, log.latest));
      const usage = await usageAtRest(cluster, running, work.count);
      const lastWriteMs = log.reachedMs(await work.verify());
      return { ...usage, seconds: (lastWriteMs - running.startMs) / 1000 };
    };
    const measured = measure().finally(() => log.close());
    const [run] = await Promise.all([measured, log.follow()]);
    cluster.ports.say(describeRun(run));
    return run;
  });
}
