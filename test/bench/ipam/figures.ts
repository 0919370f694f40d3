/** From runs to the table: medians, ratios, and what they are held against. */
import { ratio, runFigures, type TimedRun } from '../contest/figures.ts';
import type { Report, Target } from '../report.ts';
import type { IpamSettings } from './settings.ts';

interface Measurements {
  readonly settings: IpamSettings;
  readonly bare: readonly TimedRun[];
  readonly tandem: readonly TimedRun[];
  readonly upstream: readonly TimedRun[];
  /** Empty where it was not asked for. */
  readonly upstreamDefault: readonly TimedRun[];
  readonly all: TimedRun;
}

/** Ratios of medians of runs that took turns. */
const targets: Readonly<Record<string, Target>> = {
  tandemWritesPerNode: { atMost: 1 },
  tandemSecondsPerBare: { atMost: 1.15 },
  tandemCpuPerUpstream: { atMost: 1 },
  tandemPeakPerUpstream: { atMost: 0.75 },
};

export function report(measured: Measurements): Report {
  const { settings, bare, tandem, upstream, upstreamDefault, all } = measured;
  const runs = {
    ...runFigures('bare', bare),
    ...runFigures('tandem', tandem),
    ...runFigures('upstream', upstream),
    ...(upstreamDefault.length === 0 ? {} : runFigures('upstreamDefault', upstreamDefault)),
    ...runFigures('all', [all]),
  };
  const figures = {
    nodes: settings.nodes,
    rounds: settings.rounds,
    ...runs,
    tandemSecondsPerBare: ratio(runs, 'Seconds', 'bare'),
    tandemSecondsPerUpstream: ratio(runs, 'Seconds', 'upstream'),
    tandemCpuPerUpstream: ratio(runs, 'CpuSeconds', 'upstream'),
    tandemPeakPerUpstream: ratio(runs, 'PeakMB', 'upstream'),
    tandemServerCpuPerUpstream: ratio(runs, 'ServerCpuSeconds', 'upstream'),
  };
  return { name: 'ipam', figures, targets };
}
