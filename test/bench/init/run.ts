/** One run of an initialisation: the time until the last node is initialised, and what the run used. */
import type { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { describeRun, type TimedRun } from '../contest/figures.ts';
import { type StartedContender, untilDone, usageAtRest, withContender } from '../contest/run.ts';
import { verifyInitialized } from './verify.ts';

export interface RunFigures extends TimedRun {
  /** From the taking of the Lease to the last initialised node. */
  readonly fromLeaseSeconds: number;
  readonly cloudCalls: number;
}

export async function measureRun(
  cluster: Cluster,
  contender: Contender,
  count: number,
): Promise<RunFigures> {
  return withContender(cluster, contender, async (running) => {
    const figures = await measureInitialization(cluster, running, count);
    cluster.ports.say(describeRun(figures));
    return figures;
  });
}

/** Waits for the last node, then for rest, and tells what all of it took. */
export async function measureInitialization(
  cluster: Cluster,
  running: StartedContender,
  count: number,
): Promise<RunFigures> {
  const { clock } = cluster.ports;
  await untilDone(cluster.ports, async () => !(await cluster.hasUninitialized()));
  const seconds = (clock.monotonic() - running.startMs) / 1000;
  const lastNodeMs = clock.now();
  // Read before the contender ends: giving the Lease back renews its times.
  const leaseTakenMs = (await cluster.leaseTakenMs()) ?? Number.NaN;
  const usage = await usageAtRest(cluster, running, count);
  const cloudCalls = (await running.cloudCalls?.()) ?? 0;
  await verifyInitialized(cluster, count);
  const fromLeaseSeconds = (lastNodeMs - leaseTakenMs) / 1000;
  return { ...usage, seconds, fromLeaseSeconds, cloudCalls };
}
