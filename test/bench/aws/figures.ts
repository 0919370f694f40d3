/** From runs to the table, and what they are held against. */
import type { Figures } from '../contest/figures.ts';
import { median } from '../median.ts';
import type { Report, Target } from '../report.ts';
import type { ColdStart } from './cold-start.ts';
import type { LargeFleetFigures } from './large-fleet.ts';
import type { AWSSettings } from './settings.ts';
import type { RouteFigures } from './with-routes.ts';

interface Measurements {
  readonly settings: AWSSettings;
  readonly large: LargeFleetFigures;
  readonly small: ColdStart;
  readonly upstreamSmall: ColdStart;
  readonly routes: RouteFigures;
  readonly upstreamRoutes: RouteFigures;
}

export function report(measured: Measurements): Report {
  const { settings, large, small, upstreamSmall, routes, upstreamRoutes } = measured;
  const figures: Figures = {
    nodes: settings.nodes,
    smallNodes: settings.smallNodes,
    newNodes: settings.newNodes,
    coldCalls: median(large.onAWS.map(({ calls }) => calls)),
    refreshCalls: large.refreshCalls,
    ...usageFigures('aws', large.onAWS),
    ...usageFigures('static', large.onStatic),
    peakMBAboveStatic: medianPeak(large.onAWS) - medianPeak(large.onStatic),
    eventLoopBlockMsMax: large.blockMsMax,
    eventLoopBlockCpuMsMax: large.blockCpuMsMax,
    smallColdCalls: small.calls,
    upstreamSmallColdCalls: upstreamSmall.calls,
    ...usageFigures('small', [small]),
    ...usageFigures('upstreamSmall', [upstreamSmall]),
    minuteCallsWithRoutes: routes.minuteCalls,
    upstreamMinuteCallsWithRoutes: upstreamRoutes.minuteCalls,
    newNodesCalls: routes.newNodesCalls,
    newNodesCallsPerRoute: routes.newNodesCalls / (2 * settings.newNodes),
    newNodesSeconds: routes.newNodesSeconds,
    newNodesCpuSeconds: routes.newNodesCpuSeconds,
    upstreamNewNodesCalls: upstreamRoutes.newNodesCalls,
    upstreamNewNodesCallsPerRoute: upstreamRoutes.newNodesCalls / settings.newNodes,
    upstreamNewNodesSeconds: upstreamRoutes.newNodesSeconds,
    upstreamNewNodesCpuSeconds: upstreamRoutes.newNodesCpuSeconds,
  };
  return { name: 'aws', figures, targets: targetsOf(settings) };
}

function targetsOf({ nodes, smallNodes, newNodes }: AWSSettings): Record<string, Target> {
  // 30 for 5,000 nodes: one for 200 instances, and a few.
  const coldCalls = (count: number): Target => ({ atMost: Math.ceil(count / 200) + 5 });
  return {
    coldCalls: coldCalls(nodes),
    refreshCalls: coldCalls(nodes),
    peakMBAboveStatic: { atMost: 90 },
    eventLoopBlockMsMax: { atMost: 100 },
    // 12 for 300 nodes.
    smallColdCalls: { atMost: Math.ceil(smallNodes / 200) + 10 },
    minuteCallsWithRoutes: { atMost: 7 },
    // One for each route of both families and one for each new interface.
    newNodesCalls: { atMost: 5 + 3 * newNodes },
  };
}

function usageFigures(name: string, runs: readonly ColdStart[]): Figures {
  return {
    [`${name}Seconds`]: median(runs.map(({ seconds }) => seconds)),
    [`${name}CpuSeconds`]: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
    [`${name}PeakMB`]: medianPeak(runs),
  };
}

function medianPeak(runs: readonly ColdStart[]): number {
  return median(runs.map(({ peakMB }) => peakMB));
}
