/** Turns runs into the report: medians, ratios and targets. */
import { contestFigures, type ContestRuns, runFigures, type TimedRun } from '../contest/figures.ts';
import type { Report, Target } from '../report.ts';
import type { IpamSettings } from './settings.ts';

interface Measurements extends ContestRuns {
  readonly settings: IpamSettings;
  /** Empty unless `BENCH_DEFAULT_FLAGS` asks for it. */
  readonly upstreamDefault: readonly TimedRun[];
  readonly all: TimedRun;
}

const targets: Readonly<Record<string, Target>> = {
  tandemWritesPerNode: { atMost: 1 },
  tandemSecondsPerBare: { atMost: 1.15 },
  tandemCpuPerUpstream: { atMost: 1 },
  tandemPeakPerUpstream: { atMost: 0.75 },
};

export function report(measured: Measurements): Report {
  const { settings, upstreamDefault, all } = measured;
  const figures = {
    nodes: settings.nodes,
    rounds: settings.rounds,
    ...contestFigures(measured),
    ...(upstreamDefault.length === 0 ? {} : runFigures('upstreamDefault', upstreamDefault)),
    ...runFigures('all', [all]),
  };
  return { name: 'ipam', figures, targets };
}
