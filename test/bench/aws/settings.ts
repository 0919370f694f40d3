/** How large the bench is; environment variables make it smaller while something is being tried. */
import { readCount } from '../contest/settings.ts';

export interface AWSSettings {
  /** `BENCH_NODES`: nodes of the large fleet. */
  readonly nodes: number;
  /** `BENCH_ROUNDS`: cold starts of the large fleet on EC2 and on static; the median counts. */
  readonly rounds: number;
  /**
   * `BENCH_REFRESH_SECONDS`: the time in which all nodes are looked up once more. The manager spreads that evenly
   * and begins at once, so that calls of the first refresh are among those of a cold start, the more of them the
   * longer it takes.
   */
  readonly refreshSeconds: number;
  /** `BENCH_SMALL_NODES`: nodes of the fleet that upstream's manager runs with too, and that has routes. */
  readonly smallNodes: number;
  /** `BENCH_NEW_NODES`: nodes that are added to the small fleet. */
  readonly newNodes: number;
  /** `BENCH_QUIET_SECONDS`: how long the converged fleet with routes is watched. */
  readonly quietSeconds: number;
}

export function readSettings(): AWSSettings {
  return {
    nodes: readCount('BENCH_NODES', 5_000),
    rounds: readCount('BENCH_ROUNDS', 3),
    refreshSeconds: readCount('BENCH_REFRESH_SECONDS', 300),
    smallNodes: readCount('BENCH_SMALL_NODES', 300),
    newNodes: readCount('BENCH_NEW_NODES', 100),
    quietSeconds: readCount('BENCH_QUIET_SECONDS', 60),
  };
}
