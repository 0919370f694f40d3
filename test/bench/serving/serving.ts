/**
 * What the secure port costs and shows with a fleet of 5,000 nodes: how long a scrape takes, how large
 * it is, whether it grows with nodes, and what the port takes while nobody asks. The program is the
 * bundle, on a real API server. `BENCH_NODES` makes it smaller while something is being tried.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemEnvironment } from '@tandem/runtime';
import { withClosers } from '../closers.ts';
import { Cluster } from '../contest/cluster.ts';
import { aRegisteredNode, staticInventory } from '../contest/fleet.ts';
import { readSettings } from '../init/settings.ts';
import { median } from '../median.ts';
import { processUsage } from '../process-usage.ts';
import type { BenchPorts, Report } from '../report.ts';
import { type Port, type Scrape, startServingManager } from './manager.ts';

/** What the fleet is compared with. */
const fewNodes = 50;
const scrapes = 30;
const idleSeconds = 15;

export function benchServing(ports: BenchPorts): Promise<Report> {
  const { nodes } = readSettings(systemEnvironment());
  return withClosers(async (closers) => {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
    closers.add(() => rm(folder, { recursive: true, force: true }));
    const cluster = await Cluster.start(ports, closers);
    await writeFile(join(folder, 'inventory.yaml'), staticInventory(nodes));
    return measure({ cluster, folder, nodes });
  });
}

interface Setting {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly nodes: number;
}

async function measure(setting: Setting): Promise<Report> {
  const { cluster, nodes } = setting;
  const { say } = cluster.ports;
  const open = await startServingManager({ ...setting, port: 'open' });
  await grow(setting, 0, fewNodes);
  const few = await scrape(open.port, 3);
  say(`registering and initialising ${nodes} nodes`);
  await grow(setting, fewNodes, nodes);
  await cluster.untilQuiet(open.running.pid);
  const many = await scrape(open.port, scrapes);
  const livez = await Promise.all(Array.from({ length: 10 }, () => open.port.ask('/livez')));
  await open.running.stop();
  const idle = await idleCpuMsPerSecond(setting, 'open');
  const idleShut = await idleCpuMsPerSecond(setting, 'shut');
  return {
    name: 'serving',
    figures: {
      nodes,
      metricsMs: median(many.map(({ tookMs }) => tookMs)),
      metricsMsMax: Math.max(...many.map(({ tookMs }) => tookMs)),
      metricsKB: (many.at(-1)?.bytes ?? Number.NaN) / 1_000,
      metricsSeries: many.at(-1)?.series ?? Number.NaN,
      metricsSeriesOfFewNodes: few.at(-1)?.series ?? Number.NaN,
      livezMsMax: Math.max(...livez.map(({ tookMs }) => tookMs)),
      idleCpuMsPerSecond: idle,
      idleCpuMsPerSecondWithoutPort: idleShut,
      idleCpuMsPerSecondOfPort: idle - idleShut,
    },
    targets: {
      metricsMs: { atMost: 50 },
      metricsKB: { atMost: 200 },
      // Statuses that had not come up before may; a label of nodes would add thousands.
      metricsSeries: { atMost: (few.at(-1)?.series ?? 0) + 50 },
      idleCpuMsPerSecondOfPort: { atMost: 2 },
    },
  };
}

/** Registers the nodes of these numbers, and waits until all are initialised. */
async function grow({ cluster }: Setting, from: number, to: number): Promise<void> {
  const load = await cluster.load();
  await load.createNodes(to - from, (number) => aRegisteredNode(from + number));
  while (await cluster.hasUninitialized()) await sleep(cluster.ports.clock, 250);
}

async function scrape(port: Port, times: number): Promise<Scrape[]> {
  const taken: Scrape[] = [];
  for (let time = 0; time < times; time += 1) taken.push(await port.ask('/metrics'));
  return taken;
}

/** Of a manager that has just started on the initialised fleet and rests. */
async function idleCpuMsPerSecond(setting: Setting, port: 'open' | 'shut'): Promise<number> {
  const { cluster } = setting;
  const { running } = await startServingManager({ ...setting, port });
  await cluster.untilQuiet(running.pid);
  const before = await processUsage(running.pid);
  await sleep(cluster.ports.clock, idleSeconds * 1_000);
  const after = await processUsage(running.pid);
  await running.stop();
  return ((after.cpuSeconds - before.cpuSeconds) * 1_000) / idleSeconds;
}
