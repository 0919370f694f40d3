/** How large the bench is; environment variables make it smaller while something is being tried. */
import type { Environment } from '@tandem/runtime';
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

export function readSettings(environment: Environment): InitSettings {
  const read = (name: string, usual: number): number => readCount(environment, name, usual);
  return {
    nodes: read('BENCH_NODES', 5_000),
    rounds: read('BENCH_ROUNDS', 3),
    defaultSeconds: read('BENCH_DEFAULT_SECONDS', 60),
    quietSeconds: read('BENCH_QUIET_SECONDS', 600),
  };
}
