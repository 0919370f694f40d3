/**
 * The manager that ships, with nothing but the lifecycle controller, watched for a while: what it asked
 * of the cloud pass by pass, what of the API server, and what it used.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '@tandem/runtime';
import type { Cluster } from '../contest/cluster.ts';
import { concernsNodes, requestsBetween } from '../contest/requests.ts';
import { startProgram } from '../contest/start-program.ts';
import { processUsage } from '../process-usage.ts';
import { type CloudFile, type LookupLine, lookupsFile } from './paged-cloud.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'cloud-controller-manager.js');

/** Passes are five seconds apart, and take a fraction of one. */
const passGapMs = 2_000;

export interface Pass {
  readonly lookups: number;
  readonly pages: number;
  readonly nodes: number;
}

export interface Watched {
  readonly passes: readonly Pass[];
  /** To nodes and events, once it had begun. */
  readonly apiCalls: number;
  readonly cpuMs: number;
}

export interface WatchOptions {
  readonly cluster: Cluster;
  readonly folder: string;
  /** The path of the bundled provider. */
  readonly provider: string;
  readonly cloud: CloudFile;
  readonly seconds: number;
}

export async function watchManager(options: WatchOptions): Promise<Watched> {
  const { cluster, folder, provider, cloud, seconds } = options;
  const { clock } = cluster.ports;
  const config = join(folder, 'cloud.json');
  await writeFile(config, JSON.stringify(cloud));
  await rm(lookupsFile(config), { force: true });
  const flags = [
    `--cloud-provider=${provider}`,
    `--cloud-config=${config}`,
    `--kubeconfig=${cluster.controlPlane.kubeconfig}`,
    '--secure-port=0',
    '--controllers=cloud-node-lifecycle',
    // The nodes have just been made. A tenth, so that the fifth that is lost is held.
    '--node-deletion-min-age=1s',
    '--node-deletion-brake=5,10%',
  ];
  const running = await startProgram([program, ...flags], join(folder, 'manager.log'));
  cluster.closers.add(() => running.stop());
  await untilWorking(cluster, running);
  const before = await cluster.requestCounts();
  const { cpuSeconds } = await processUsage(running.pid);
  await sleep(clock, seconds * 1_000);
  const cpuMs = ((await processUsage(running.pid)).cpuSeconds - cpuSeconds) * 1_000;
  const requests = requestsBetween(before, await cluster.requestCounts());
  await running.stop();
  const apiCalls = [...requests].reduce(
    (sum, [request, count]) => sum + (concernsNodes(request) ? count : 0),
    0,
  );
  return { passes: await passesIn(lookupsFile(config)), apiCalls, cpuMs };
}

async function untilWorking(
  cluster: Cluster,
  running: Awaited<ReturnType<typeof startProgram>>,
): Promise<void> {
  for (let tries = 0; tries < startTriesMax; tries += 1) {
    if ((await running.log()).includes('Started controller')) return;
    await sleep(cluster.ports.clock, 100);
  }
  throw new Error(`the manager does not begin:\n${await running.log()}`);
}

const startTriesMax = 300;

async function passesIn(file: string): Promise<Pass[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const passes: Pass[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  let pagesBefore = 0;
  for (const line of lines) {
    const { atMs, nodes, pagesSoFar }: LookupLine = JSON.parse(line);
    const known = atMs - lastMs < passGapMs ? passes.pop() : undefined;
    const sums = known ?? { lookups: 0, pages: 0, nodes: 0 };
    passes.push({
      lookups: sums.lookups + 1,
      pages: sums.pages + pagesSoFar - pagesBefore,
      nodes: sums.nodes + nodes,
    });
    pagesBefore = pagesSoFar;
    lastMs = atMs;
  }
  return passes;
}
