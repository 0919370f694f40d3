/** From runs to the table: medians, ratios, and what they are held against. */
import type { Report, Target } from '../report.ts';
import type { ConvergedFigures } from './converged.ts';
import type { RunFigures } from './run.ts';
import type { InitSettings } from './settings.ts';

export interface Measurements {
  readonly settings: InitSettings;
  readonly bytesOfNode: number;
  readonly registerSeconds: number;
  readonly startMs: readonly number[];
  readonly bareSilent: RunFigures;
  readonly bare: readonly RunFigures[];
  readonly tandem: readonly RunFigures[];
  readonly upstream: readonly RunFigures[];
  readonly upstreamDefaultNodesPerSecond: number;
  readonly converged: ConvergedFigures;
}

/** Ratios of medians of runs that took turns. Of CPU, 0.5 is the goal, and of memory, 0.6. */
const targets: Readonly<Record<string, Target>> = {
  tandemSecondsPerBare: { atMost: 1 },
  tandemCpuPerUpstream: { atMost: 0.7 },
  tandemPeakPerUpstream: { atMost: 0.75 },
  tandemWritesPerNode: { atMost: 3 },
  tandemCloudCallsPerUpstream: { atMost: 0.01 },
  tandemCloudCallsPer100Nodes: { atMost: 1 },
  tandemStartToFirstNodeMs: { atMost: 1_000 },
  annotationToStatusMsMax: { atMost: 1_000 },
  convergedWrites: { atMost: 0 },
  convergedCpuPercent: { atMost: 2 },
};

type Figures = Record<string, number>;

export function report(measured: Measurements): Report {
  const { settings, converged } = measured;
  const groups: [string, readonly RunFigures[]][] = [
    ['bareSilent', [measured.bareSilent]],
    ['bare', measured.bare],
    ['tandem', measured.tandem],
    ['upstream', measured.upstream],
  ];
  const runs: Figures = Object.assign({}, ...groups.map(([name, run]) => runFigures(name, run)));
  const cloudCalls = converged.initCloudCalls;
  const figures: Figures = {
    nodes: settings.nodes,
    rounds: settings.rounds,
    bytesOfNode: measured.bytesOfNode,
    registerSeconds: measured.registerSeconds,
    ...runs,
    tandemFromLeaseSeconds: median(measured.tandem.map((run) => run.fromLeaseSeconds)),
    upstreamDefaultNodesPerSecond: measured.upstreamDefaultNodesPerSecond,
    upstreamDefaultSecondsExtrapolated: settings.nodes / measured.upstreamDefaultNodesPerSecond,
    tandemCloudCalls: cloudCalls,
    tandemSecondsPerBare: ratio(runs, 'Seconds', 'bare'),
    tandemSecondsPerUpstream: ratio(runs, 'Seconds', 'upstream'),
    tandemCpuPerUpstream: ratio(runs, 'CpuSeconds', 'upstream'),
    tandemPeakPerUpstream: ratio(runs, 'PeakMB', 'upstream'),
    tandemServerCpuPerUpstream: ratio(runs, 'ServerCpuSeconds', 'upstream'),
    tandemCloudCallsPerUpstream: cloudCalls / (runs['upstreamCloudCalls'] ?? Number.NaN),
    tandemCloudCallsPer100Nodes: (cloudCalls * 100) / settings.nodes,
    tandemStartToFirstNodeMs: median(measured.startMs),
    annotationToStatusMsMedian: median(converged.annotationMs),
    annotationToStatusMsMax: Math.max(...converged.annotationMs),
    convergedWrites: converged.quietWrites,
    convergedCpuPercent: converged.quietCpuPercent,
    convergedCloudCalls: converged.quietCloudCalls,
  };
  return { name: 'init', figures, targets };
}

function runFigures(name: string, runs: readonly RunFigures[]): Figures {
  const middle = (of: (run: RunFigures) => number): number => median(runs.map(of));
  const requests = new Set(runs.flatMap((run) => [...run.requests.keys()]));
  const counted = [...requests].toSorted().map((request): [string, number] => {
    const figure = `${name}${requestName(request)}`;
    return [figure, middle((run) => run.requests.get(request) ?? 0)];
  });
  const cloudCalls = middle((run) => run.cloudCalls);
  return {
    [`${name}Seconds`]: middle((run) => run.seconds),
    [`${name}CpuSeconds`]: middle((run) => run.cpuSeconds),
    [`${name}PeakMB`]: middle((run) => run.peakMB),
    [`${name}ServerCpuSeconds`]: middle((run) => run.serverCpuSeconds),
    [`${name}ServerPeakMB`]: middle((run) => run.serverPeakMB),
    [`${name}WritesPerNode`]: middle((run) => run.writesPerNode),
    ...Object.fromEntries(counted),
    ...(name === 'upstream' ? { upstreamCloudCalls: cloudCalls } : {}),
  };
}

/** `PATCH nodes/status` as a part of a figure's name: `PatchNodesStatus`. */
function requestName(request: string): string {
  return request
    .split(/[ /]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join('');
}

function ratio(figures: Figures, what: string, other: string): number {
  return (figures[`tandem${what}`] ?? Number.NaN) / (figures[`${other}${what}`] ?? Number.NaN);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
