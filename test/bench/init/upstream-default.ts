/**
 * Upstream's manager with its default flags. It would take twelve minutes for 5,000 nodes, so it is
 * watched for one of them: how many nodes it initialises in a second once its burst is spent.
 */
import { sleep } from '@tandem/runtime';
import type { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { withContender } from '../contest/run.ts';

export function measureRate(
  cluster: Cluster,
  contender: Contender,
  seconds: number,
): Promise<number> {
  const { clock, say } = cluster.ports;
  return withContender(cluster, contender, async ({ startMs }) => {
    await sleep(clock, (seconds * 1000) / 4);
    const early = await moment();
    while ((await cluster.hasUninitialized()) && clock.monotonic() - startMs < seconds * 1000) {
      await sleep(clock, pollMs);
    }
    const late = await moment();
    say(`  ${late.count} nodes in ${((late.atMs - startMs) / 1000).toFixed(0)} s`);
    // So few nodes that all were done in the first quarter: then the burst is all there is to tell.
    const from = early.count === late.count ? { count: 0, atMs: startMs } : early;
    return ((late.count - from.count) * 1000) / (late.atMs - from.atMs);

    async function moment(): Promise<{ count: number; atMs: number }> {
      const count = await cluster.initializedCount();
      return { count, atMs: clock.monotonic() };
    }
  });
}

const pollMs = 500;
