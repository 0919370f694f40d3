/** A run that ends with the last write to a node: its time, and what it used. */
import type { Cluster } from './cluster.ts';
import type { Contender } from './contender.ts';
import { describeRun, type TimedRun } from './figures.ts';
import { requestsBetween, writesIn } from './requests.ts';
import { RevisionLog } from './revision-log.ts';
import { type StartedContender, untilDone, usageAtRest, withContender } from './run.ts';

interface TimedWork {
  readonly count: number;
  /** Whether nearly all is done, given etcd's latest revision; the contender does the rest before it rests. */
  readonly isDone: (running: StartedContender, revision: number) => Promise<boolean>;
  /** Returns the revision of the last write to a node. */
  readonly verify: () => Promise<number>;
}

export function measureTimedRun(
  cluster: Cluster,
  contender: Contender,
  work: TimedWork,
): Promise<TimedRun> {
  return withContender(cluster, contender, (running) => measureStarted(cluster, running, work));
}

/** The same for a contender that keeps running. */
export async function measureStarted(
  cluster: Cluster,
  running: StartedContender,
  work: TimedWork,
): Promise<TimedRun> {
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
}

/** Waits until the last node is initialised, then until the contender rests. */
export async function measureInitialization(
  cluster: Cluster,
  running: StartedContender,
  count: number,
): Promise<TimedRun> {
  await untilDone(cluster.ports, async () => !(await cluster.hasUninitialized()));
  const seconds = (cluster.ports.clock.monotonic() - running.startMs) / 1000;
  return { ...(await usageAtRest(cluster, running, count)), seconds };
}

/**
 * Whether there were at least as many writes as nodes. The revision costs the API server nothing, but counts the
 * writes of Leases. With a low rate limit these are many, so the API server's own counts decide as soon as there
 * may be enough writes.
 */
export async function hasWrittenEach(
  cluster: Cluster,
  { before }: StartedContender,
  { revision, count }: { readonly revision: number; readonly count: number },
): Promise<boolean> {
  if (revision - before.revision < count) return false;
  return writesIn(requestsBetween(before.counts, await cluster.requestCounts())) >= count;
}
