/** One run of an initialisation: the time until the last node is initialised, and what the run used. */
import type { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { describeRun, type TimedRun } from '../contest/figures.ts';
import { type StartedContender, withContender } from '../contest/run.ts';
import { measureInitialization } from '../contest/timed-run.ts';
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
    const figures = await measureStartedRun(cluster, running, count);
    cluster.ports.say(describeRun(figures));
    return figures;
  });
}

/** The same for a contender that goes on running. */
export async function measureStartedRun(
  cluster: Cluster,
  running: StartedContender,
  count: number,
): Promise<RunFigures> {
  const { clock } = cluster.ports;
  const startWallMs = clock.now() - (clock.monotonic() - running.startMs);
  const run = await measureInitialization(cluster, running, count);
  // Read before the contender ends: giving the Lease back renews its times.
  const leaseTakenMs = (await cluster.leaseTakenMs()) ?? Number.NaN;
  const cloudCalls = (await running.cloudCalls?.()) ?? 0;
  await verifyInitialized(cluster, count);
  const fromLeaseSeconds = run.seconds - (leaseTakenMs - startWallMs) / 1000;
  return { ...run, fromLeaseSeconds, cloudCalls };
}
