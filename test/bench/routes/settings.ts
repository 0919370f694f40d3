/** How large the bench is; environment variables make it smaller while something is being tried. */
import { readCount } from '../contest/settings.ts';

export interface RoutesSettings {
  /**
   * `BENCH_NODES`: nodes with two pod CIDRs each. With few of them the two lists around the changes are more
   * than the target for cloud calls allows.
   */
  readonly nodes: number;
  /** `BENCH_ROUNDS`: runs of each contender; the median counts. */
  readonly rounds: number;
  /** `BENCH_QUIET_SECONDS`: how long the converged cluster is watched. */
  readonly quietSeconds: number;
}

export function readSettings(): RoutesSettings {
  return {
    nodes: readCount('BENCH_NODES', 5_000),
    rounds: readCount('BENCH_ROUNDS', 3),
    quietSeconds: readCount('BENCH_QUIET_SECONDS', 60),
  };
}

/** How long each call to the route table takes, in both clouds. */
export const callMs = 50;

/** Operations in one call, where the cloud takes several. */
export const batchSize = 100;

/** How many batches the cloud takes at once: as many as the plug has where a provider does not say. */
export const batchesAtOnce = 1;

/** The same in one more run of Tandem. */
export const batchesAtOnceParallel = 4;
