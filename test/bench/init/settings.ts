/** How large the bench is; environment variables make it smaller while something is being tried. */
import { readCount } from '../contest/settings.ts';

export interface InitSettings {
  /** `BENCH_NODES`: nodes to initialise. */
  readonly nodes: number;
  /** `BENCH_ROUNDS`: runs of each contender that a target is about; the median counts. */
  readonly rounds: number;
  /** `BENCH_DEFAULT_SECONDS`: how long upstream is watched with its default flags, of about 12 minutes. */
  readonly defaultSeconds: number;
  /** `BENCH_QUIET_SECONDS`: how long the converged cluster is watched. */
  readonly quietSeconds: number;
}

export function readSettings(): InitSettings {
  return {
    nodes: readCount('BENCH_NODES', 5_000),
    rounds: readCount('BENCH_ROUNDS', 3),
    defaultSeconds: readCount('BENCH_DEFAULT_SECONDS', 60),
    quietSeconds: readCount('BENCH_QUIET_SECONDS', 600),
  };
}
