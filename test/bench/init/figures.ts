/** From runs to the table: medians, ratios, and what they are held against. */
import { contestFigures, type ContestRuns, type Figures } from '../contest/figures.ts';
import { median } from '../median.ts';
import type { Report, Target } from '../report.ts';
import type { ConvergedFigures } from './converged.ts';
import type { InitSettings } from './settings.ts';

interface Measurements extends ContestRuns {
  readonly settings: InitSettings;
  readonly startMs: readonly number[];
  readonly upstreamCloudCalls: number;
  readonly upstreamDefaultNodesPerSecond: number;
  readonly converged: ConvergedFigures;
}

/** Ratios of medians of runs that took turns. Of CPU and of memory, 0.6 is the goal. */
const targets: Readonly<Record<string, Target>> = {
  tandemSecondsPerBare: { atMost: 1.05 },
  tandemCpuPerUpstream: { atMost: 0.75 },
  tandemPeakPerUpstream: { atMost: 0.75 },
  tandemWritesPerNode: { atMost: 3 },
  tandemCloudCallsPerUpstream: { atMost: 0.01 },
  tandemCloudCallsPer100Nodes: { atMost: 1 },
  tandemStartToFirstNodeMs: { atMost: 1_000 },
  annotationToStatusMsMax: { atMost: 1_000 },
  convergedWrites: { atMost: 0 },
  convergedCpuPercent: { atMost: 2 },
};

export function report(measured: Measurements): Report {
  const { settings, converged, upstreamCloudCalls } = measured;
  const cloudCalls = converged.initCloudCalls;
  const figures: Figures = {
    nodes: settings.nodes,
    rounds: settings.rounds,
    ...contestFigures(measured),
    upstreamCloudCalls,
    upstreamDefaultNodesPerSecond: measured.upstreamDefaultNodesPerSecond,
    upstreamDefaultSecondsExtrapolated: settings.nodes / measured.upstreamDefaultNodesPerSecond,
    tandemCloudCalls: cloudCalls,
    tandemCloudCallsPerUpstream: cloudCalls / upstreamCloudCalls,
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
