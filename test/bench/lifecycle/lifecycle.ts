/**
 * What the lifecycle controller costs with 5,000 nodes: while all are Ready, while a fifth of them is
 * NotReady but there, and while the cloud says that this fifth is gone and the brake holds. Time is
 * virtual; what is measured is calls, and the CPU time of the whole process for a pass.
 */
import type { BenchPorts, Report } from '../report.ts';
import { BenchCluster, monitorPeriodMs, notReadyCount } from './cluster.ts';

/** Much less than a pause and much more than a pass takes: no two passes fall into one step. */
const stepMs = 1_000;
const stepsPerPass = monitorPeriodMs / stepMs;
const idlePasses = 20;

interface Step {
  readonly lookups: number;
  readonly pages: number;
  readonly nodes: number;
  readonly apiCalls: number;
  readonly cpuMs: number;
}

export async function benchLifecycle({ say }: BenchPorts): Promise<Report> {
  say('the lifecycle controller on 5,000 nodes in virtual time, about 10 s');
  const cluster = new BenchCluster();
  cluster.start();
  await cluster.clock.advance(1_000);
  // The first steps let the engine warm up.
  await steps(cluster, 4 * stepsPerPass);
  const idle = await steps(cluster, idlePasses * stepsPerPass);
  cluster.failNodes();
  const found = (await steps(cluster, 16 * stepsPerPass)).filter(isFull);
  cluster.loseInstances();
  const absent = (await steps(cluster, 60 * stepsPerPass)).filter(isFull);
  const { nodesLeft } = cluster;
  await cluster.stop();

  const busy = [...found, ...absent];
  return {
    name: 'lifecycle',
    figures: {
      cloudCallsPerPassMax: Math.max(...busy.map(({ lookups }) => lookups)),
      cloudPagesPerPassMax: Math.max(...busy.map(({ pages }) => pages)),
      cloudCallsAllReady: sum(idle.map(({ lookups }) => lookups)),
      apiCallsAllReady: sum(idle.map(({ apiCalls }) => apiCalls)),
      apiCallsPerPassFound: median(found.map(({ apiCalls }) => apiCalls)),
      passesFound: found.length,
      passesAbsent: absent.length,
      passCpuMsAllReady: sum(idle.map(({ cpuMs }) => cpuMs)) / idlePasses,
      passCpuMsFound: median(found.map(({ cpuMs }) => cpuMs)),
      passCpuMsAbsent: median(absent.map(({ cpuMs }) => cpuMs)),
      nodesDeletedUnderTheBrake: 5_000 - nodesLeft,
    },
    targets: {
      cloudCallsPerPassMax: { atMost: 10 },
      cloudPagesPerPassMax: { atMost: 10 },
      cloudCallsAllReady: { atMost: 0 },
      apiCallsPerPassFound: { atMost: 0 },
      passCpuMsFound: { atMost: 100 },
      passCpuMsAbsent: { atMost: 100 },
      nodesDeletedUnderTheBrake: { atMost: 0 },
    },
  };
}

async function steps(cluster: BenchCluster, count: number): Promise<Step[]> {
  const taken: Step[] = [];
  for (let step = 0; step < count; step++) taken.push(await takeStep(cluster));
  return taken;
}

async function takeStep(cluster: BenchCluster): Promise<Step> {
  const before = { ...cluster.cloud.counts, apiCalls: cluster.apiCalls, cpu: process.cpuUsage() };
  await cluster.clock.advance(stepMs);
  const { user, system } = process.cpuUsage(before.cpu);
  const { lookups, pages, nodes } = cluster.cloud.counts;
  return {
    lookups: lookups - before.lookups,
    pages: pages - before.pages,
    nodes: nodes - before.nodes,
    apiCalls: cluster.apiCalls - before.apiCalls,
    cpuMs: (user + system) / 1_000,
  };
}

/** Whether the pass looked at all of them; in between they are put off. */
function isFull({ nodes }: Step): boolean {
  return nodes >= notReadyCount;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
