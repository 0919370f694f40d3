/** How large the bench is; environment variables make it smaller, or add a run. */
import { systemEnvironment } from '@tandem/runtime';
import { readCount } from '../contest/settings.ts';

export interface IpamSettings {
  /** `BENCH_NODES`: nodes that need pod CIDRs. */
  readonly nodes: number;
  /** `BENCH_ROUNDS`: runs of each contender that a target is about; the median counts. */
  readonly rounds: number;
  /** `BENCH_DEFAULT_FLAGS=1`: upstream also runs once with its default flags. */
  readonly withDefaultFlags: boolean;
}

export function readSettings(): IpamSettings {
  return {
    nodes: readCount('BENCH_NODES', 5_000),
    rounds: readCount('BENCH_ROUNDS', 3),
    withDefaultFlags: systemEnvironment()['BENCH_DEFAULT_FLAGS'] === '1',
  };
}
