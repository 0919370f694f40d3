/** Turns measured runs into figures of a report: medians, and Tandem's median over another contender's. */
import { median } from '../median.ts';
import type { RunUsage } from './run.ts';

export type Figures = Record<string, number>;

export interface TimedRun extends RunUsage {
  /** From the start of the process to the last node. */
  readonly seconds: number;
}

/** Each figure begins with the name: `bareSeconds`, `barePatchNodes`. */
export function runFigures(name: string, runs: readonly TimedRun[]): Figures {
  const middle = (of: (run: TimedRun) => number): number => median(runs.map(of));
  const requests = new Set(runs.flatMap((run) => [...run.requests.keys()]));
  const counted = [...requests].toSorted().map((request): [string, number] => {
    const figure = `${name}${requestName(request)}`;
    return [figure, middle((run) => run.requests.get(request) ?? 0)];
  });
  return {
    [`${name}Seconds`]: middle((run) => run.seconds),
    [`${name}CpuSeconds`]: middle((run) => run.cpuSeconds),
    [`${name}PeakMB`]: middle((run) => run.peakMB),
    [`${name}ServerCpuSeconds`]: middle((run) => run.serverCpuSeconds),
    [`${name}ServerPeakMB`]: middle((run) => run.serverPeakMB),
    [`${name}WritesPerNode`]: middle((run) => run.writesPerNode),
    ...Object.fromEntries(counted),
  };
}

/** The runs of the three contenders that targets are about. */
export interface ContestRuns {
  readonly bare: readonly TimedRun[];
  readonly tandem: readonly TimedRun[];
  readonly upstream: readonly TimedRun[];
}

/** The figures of all three, and Tandem's over those of the others: ratios of medians of runs that took turns. */
export function contestFigures({ bare, tandem, upstream }: ContestRuns): Figures {
  const runs = {
    ...runFigures('bare', bare),
    ...runFigures('tandem', tandem),
    ...runFigures('upstream', upstream),
  };
  return {
    ...runs,
    tandemSecondsPerBare: ratio(runs, 'Seconds', 'bare'),
    tandemSecondsPerUpstream: ratio(runs, 'Seconds', 'upstream'),
    tandemCpuPerUpstream: ratio(runs, 'CpuSeconds', 'upstream'),
    tandemPeakPerUpstream: ratio(runs, 'PeakMB', 'upstream'),
    tandemServerCpuPerUpstream: ratio(runs, 'ServerCpuSeconds', 'upstream'),
  };
}

/** A line of progress. */
export function describeRun({ seconds, cpuSeconds, peakMB }: TimedRun): string {
  return `  ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU-s, ${peakMB.toFixed(0)} MB`;
}

/** `PATCH nodes/status` as a part of a figure's name: `PatchNodesStatus`. */
function requestName(request: string): string {
  return request
    .split(/[ /]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}

/** Tandem's figure over another contender's. */
export function ratio(figures: Figures, what: string, other: string): number {
  return (figures[`tandem${what}`] ?? Number.NaN) / (figures[`${other}${what}`] ?? Number.NaN);
}
