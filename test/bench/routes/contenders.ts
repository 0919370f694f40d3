/**
 * The contenders that give the cloud its routes: Tandem's route controller alone, and upstream's alone with its limits
 * lifted. The cloud of each runs in its process, so that each pays for its cloud.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goPrograms, requireGoProgram } from '../../support/go-program.ts';
import { startUpstreamManager, type UpstreamManager } from '../../upstream-manager/index.ts';
import { bundleForBench } from '../bundle.ts';
import type { Contender } from '../contest/contender.ts';
import { tandem } from '../contest/tandem.ts';
import {
  type CallLine,
  callsFile,
  type CloudFile,
  type TableFile,
  tableFile,
} from './batching-cloud.ts';
import { clusterCIDRs, spareMachines } from './fleet.ts';
import { batchesAtOnce, batchesAtOnceParallel, callMs, type RoutesSettings } from './settings.ts';

export interface RouteContender extends Contender {
  /** The calls to its cloud since its last start. */
  calls(): Promise<RouteCalls>;
}

export interface RouteCalls {
  readonly lookups: number;
  readonly lists: number;
  /** Calls that changed the table. */
  readonly changes: number;
  /** When the first call to the table began and when the last that changed it ended, by the wall clock. */
  readonly firstMs: number;
  readonly lastChangeMs: number;
}

export interface Contenders {
  readonly tandem: RouteContender;
  /** With a cloud that takes several batches in parallel. */
  readonly tandemParallel: RouteContender;
  readonly upstream: RouteContender;
  /** Tandem's route table at the end of its last run. */
  readonly tableOfTandem: () => Promise<TableFile>;
}

export async function prepareContenders(setup: {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly settings: RoutesSettings;
}): Promise<Contenders> {
  const { folder, kubeconfig, settings } = setup;
  const program = await requireGoProgram(goPrograms.upstreamManager);
  const source = join(import.meta.dirname, 'batching-cloud.ts');
  const provider = (await bundleForBench(folder, { 'batching-cloud': source }))('batching-cloud');
  const machines = settings.nodes + spareMachines;
  const config = join(folder, 'cloud.json');
  const parallelConfig = join(folder, 'parallel-cloud.json');
  await writeConfig(config, { machines, batchesAtOnce });
  await writeConfig(parallelConfig, { machines, batchesAtOnce: batchesAtOnceParallel });
  const ofTandem = { provider, kubeconfig, logFile: join(folder, 'log') };
  return {
    tandem: countedTandem({ ...ofTandem, name: 'Tandem', config }),
    tandemParallel: countedTandem({
      ...ofTandem,
      name: `Tandem, ${batchesAtOnceParallel} batches at once`,
      config: parallelConfig,
    }),
    upstream: countedUpstream({ program, kubeconfig }),
    tableOfTandem: async () => JSON.parse(await readFile(tableFile(config), 'utf8')),
  };
}

async function writeConfig(file: string, cloud: CloudFile): Promise<void> {
  await writeFile(file, JSON.stringify(cloud));
}

const flags = [
  '--controllers=node-route-controller',
  '--configure-cloud-routes=true',
  `--cluster-cidr=${clusterCIDRs}`,
] as const;

function countedTandem(options: {
  readonly name: string;
  readonly provider: string;
  readonly config: string;
  readonly kubeconfig: string;
  readonly logFile: string;
}): RouteContender {
  const { name, provider, config, kubeconfig, logFile } = options;
  // Two benches may run on one machine.
  const ownFlags = [...flags, '--secure-port=0'];
  const inner = tandem({ name, kubeconfig, provider, inventory: config, flags: ownFlags, logFile });
  return {
    name: inner.name,
    async start() {
      await rm(callsFile(config), { force: true });
      await rm(tableFile(config), { force: true });
      return inner.start();
    },
    calls: async () => callsIn(await readFile(callsFile(config), 'utf8')),
  };
}

function callsIn(text: string): RouteCalls {
  const lines = text.split('\n').filter((line) => line !== '');
  const calls = lines.map((line): CallLine => JSON.parse(line));
  const ofKind = (kind: CallLine['kind']): CallLine[] => calls.filter((one) => one.kind === kind);
  const table = calls.filter(({ kind }) => kind !== 'lookup');
  return {
    lookups: ofKind('lookup').length,
    lists: ofKind('list').length,
    changes: ofKind('apply').length,
    firstMs: Math.min(...table.map(({ beganMs }) => beganMs)),
    lastChangeMs: Math.max(...ofKind('apply').map(({ endedMs }) => endedMs)),
  };
}

function countedUpstream(options: {
  readonly program: string;
  readonly kubeconfig: string;
}): RouteContender {
  let manager: UpstreamManager | undefined;
  return {
    name: 'upstream, limits lifted',
    async start() {
      manager = await startUpstreamManager({
        ...options,
        inventory: [],
        flags: [...flags, ...liftedLimits, `--cloud-route-latency=${callMs}ms`],
      });
      return manager;
    },
    async calls() {
      if (manager === undefined) throw new Error('upstream was not started yet');
      const calls = await manager.cloudCalls();
      return {
        lookups: calls.metadata + calls.exists + calls.shutdown,
        lists: calls.listRoutes,
        changes: calls.createRoute + calls.deleteRoute,
        firstMs: calls.firstRouteCallMs,
        lastChangeMs: calls.lastRouteChangeMs,
      };
    },
  };
}

/**
 * Upstream writes the conditions of all nodes at once. With its limits lifted, 5,000 of these keep a small API server
 * busy for longer than upstream's Lease lasts, and upstream ends; so it runs without a Lease.
 */
const liftedLimits = [
  '--kube-api-qps=5000',
  '--kube-api-burst=5000',
  '--leader-elect=false',
] as const;
