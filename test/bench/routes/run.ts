/** One run: nodes with pod CIDRs get their routes, and their condition once these are there. */
import type { Cluster } from '../contest/cluster.ts';
import type { TimedRun } from '../contest/figures.ts';
import { type StartedContender, withContender } from '../contest/run.ts';
import { hasWrittenEach, measureStarted } from '../contest/timed-run.ts';
import type { RouteCalls, RouteContender } from './contenders.ts';
import { verifyConditions } from './verify.ts';

export interface RouteRun extends TimedRun {
  readonly calls: RouteCalls;
  /** From the first call to the route table until the last route stood. */
  readonly routeSeconds: number;
  /** From the start of the process until the last route stood. */
  readonly startToRoutesSeconds: number;
  readonly statusWritesPerNode: number;
}

export function measureRoutes(
  cluster: Cluster,
  contender: RouteContender,
  count: number,
): Promise<RouteRun> {
  return withContender(cluster, contender, (running) =>
    measureStartedRoutes(cluster, { contender, running, count }),
  );
}

/** The same for a contender that goes on running. */
export async function measureStartedRoutes(
  cluster: Cluster,
  options: {
    readonly contender: RouteContender;
    readonly running: StartedContender;
    readonly count: number;
  },
): Promise<RouteRun> {
  const { contender, running, count } = options;
  const { clock, say } = cluster.ports;
  const startWallMs = clock.now() - (clock.monotonic() - running.startMs);
  const run = await measureStarted(cluster, running, {
    count,
    isDone: (_, revision) => hasWrittenEach(cluster, running, { revision, count }),
    verify: () => verifyConditions(cluster, count),
  });
  const calls = await contender.calls();
  const { lookups, lists, changes, firstMs, lastChangeMs } = calls;
  const routeSeconds = (lastChangeMs - firstMs) / 1000;
  say(
    `  ${changes} changes, ${lists} lists, ${lookups} look-ups; routes in ${routeSeconds.toFixed(2)} s`,
  );
  return {
    ...run,
    calls,
    routeSeconds,
    startToRoutesSeconds: (lastChangeMs - startWallMs) / 1000,
    statusWritesPerNode: (run.requests.get('PATCH nodes/status') ?? 0) / count,
  };
}
