/** How large the bench is; environment variables make it smaller, or add a run. */
import type { Environment } from '@tandem/runtime';
import { readCount } from '../contest/settings.ts';

export interface IpamSettings {
  /** `BENCH_NODES`: nodes that need pod CIDRs. */
  readonly nodes: number;
  /** `BENCH_ROUNDS`: runs of each contender that a target is about; the median counts. */
  readonly rounds: number;
  /** `BENCH_DEFAULT_FLAGS=1`: upstream also runs once with its default flags. */
  readonly withDefaultFlags: boolean;
}

export function readSettings(environment: Environment): IpamSettings {
  return {
    nodes: readCount(environment, 'BENCH_NODES', 5_000),
    rounds: readCount(environment, 'BENCH_ROUNDS', 3),
    withDefaultFlags: environment['BENCH_DEFAULT_FLAGS'] === '1',
  };
}
