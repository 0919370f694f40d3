/** From runs to the table: medians, ratios, and what they are held against. */
import { type Figures, ratio, runFigures } from '../contest/figures.ts';
import { median } from '../median.ts';
import type { Report, Target } from '../report.ts';
import type { ConvergedFigures } from './converged.ts';
import type { RouteRun } from './run.ts';
import {
  batchesAtOnce,
  batchesAtOnceParallel,
  batchSize,
  callMs,
  type RoutesSettings,
} from './settings.ts';

interface Measurements {
  readonly settings: RoutesSettings;
  readonly tandem: readonly RouteRun[];
  readonly upstream: readonly RouteRun[];
  readonly parallel: RouteRun;
  readonly converged: ConvergedFigures;
}

const targets: Readonly<Record<string, Target>> = {
  tandemCallsPerBatches: { atMost: 1.05 },
  tandemRouteSecondsPerCalls: { atMost: 1.2 },
  tandemStatusWritesPerNodeMax: { atMost: 1 },
  convergedWrites: { atMost: 0 },
  convergedRouteChanges: { atMost: 0 },
  convergedLists: { atMost: 2 },
  newNodeToRoutesMsMax: { atMost: 1_000 },
};

export function report(measured: Measurements): Report {
  const { settings, tandem, upstream, parallel, converged } = measured;
  const runs: Figures = {
    ...contenderFigures('tandem', tandem),
    ...contenderFigures('upstream', upstream),
  };
  const batches = Math.ceil((settings.nodes * 2) / batchSize);
  const figures: Figures = {
    nodes: settings.nodes,
    rounds: settings.rounds,
    ...runs,
    batches,
    tandemCallsPerBatches: median(tandem.map((run) => routeCalls(run) / batches)),
    tandemRouteSecondsPerCalls: median(
      tandem.map((run) => run.routeSeconds / callSeconds(run, batchesAtOnce)),
    ),
    tandemStatusWritesPerNodeMax: Math.max(...tandem.map((run) => run.statusWritesPerNode)),
    tandemRouteCallsPerUpstream: ratio(runs, 'RouteCalls', 'upstream'),
    tandemRouteSecondsPerUpstream: ratio(runs, 'RouteSeconds', 'upstream'),
    tandemSecondsPerUpstream: ratio(runs, 'Seconds', 'upstream'),
    tandemCpuPerUpstream: ratio(runs, 'CpuSeconds', 'upstream'),
    tandemPeakPerUpstream: ratio(runs, 'PeakMB', 'upstream'),
    tandemParallelRouteSeconds: parallel.routeSeconds,
    tandemParallelRouteSecondsPerCalls:
      parallel.routeSeconds / callSeconds(parallel, batchesAtOnceParallel),
    convergedWrites: converged.quietWrites,
    convergedRouteChanges: converged.quietChanges,
    convergedLists: converged.quietLists,
    convergedCpuPercent: converged.quietCpuPercent,
    newNodeToRoutesMsMedian: median(converged.newNodeMs),
    newNodeToRoutesMsMax: Math.max(...converged.newNodeMs),
  };
  return { name: 'routes', figures, targets };
}

function contenderFigures(name: string, runs: readonly RouteRun[]): Figures {
  const middle = (of: (run: RouteRun) => number): number => median(runs.map(of));
  return {
    ...runFigures(name, runs),
    [`${name}RouteCalls`]: middle(routeCalls),
    [`${name}Lists`]: middle(({ calls }) => calls.lists),
    [`${name}LookupCalls`]: middle(({ calls }) => calls.lookups),
    [`${name}RouteSeconds`]: middle((run) => run.routeSeconds),
    [`${name}StartToRoutesSeconds`]: middle((run) => run.startToRoutesSeconds),
  };
}

/** What all calls take when as many are under way as the cloud allows. */
function callSeconds(run: RouteRun, atOnce: number): number {
  return (routeCalls(run) * callMs) / atOnce / 1000;
}

/** Those to the route table. */
function routeCalls({ calls }: RouteRun): number {
  return calls.lists + calls.changes;
}
