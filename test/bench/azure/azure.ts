/**
 * What a fleet on Azure costs: nodes registered on one real API server, most of them in ten scale sets, the manager that
 * ships with its real SDKs, and the fake of ARM. The same nodes as machines of the provider static show how much memory
 * and time the SDKs take. Then a hundred new nodes get their routes in both families. `BENCH_NODES` makes the bench
 * smaller, and `BENCH_REFRESH_SECONDS` shortens the period of a refresh. The manager spreads a refresh evenly and begins
 * immediately, so that a cold start includes some of its calls.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '@tandem/runtime';
import { aTable, FakeAzure, withTable } from '../../support/arm/index.ts';
import { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { BlockLog } from '../contest/event-loop/block-log.ts';
import type { TimedRun } from '../contest/figures.ts';
import { type StartedContender, untilDone, withContender } from '../contest/run.ts';
import { readCount } from '../contest/settings.ts';
import { tandem } from '../contest/tandem.ts';
import { measureInitialization } from '../contest/timed-run.ts';
import type { BenchPorts, Report } from '../report.ts';
import { aNodeOnAzure, inventoryOf, routedLabel, scaleSetCount, withFleet } from './machines.ts';
import { measureNewNodes, type NewNodes } from './new-nodes.ts';

export function benchAzure(ports: BenchPorts): Promise<Report> {
  const nodes = readCount('BENCH_NODES', 5_000);
  const refreshSeconds = readCount('BENCH_REFRESH_SECONDS', 300);
  return Cluster.with(ports, async (cluster, folder) => {
    const azure = await FakeAzure.start();
    cluster.closers.add(() => azure.close());
    const { arm } = azure;
    arm.state = withTable(withFleet(arm.state, nodes), aTable());
    ports.say(`registering ${nodes} nodes`);
    await cluster.register(nodes, aNodeOnAzure);
    const blocks = await BlockLog.prepare(folder);
    const contenders = await prepare({ folder, cluster, azure, nodes, refreshSeconds, blocks });
    const onStatic = await withContender(cluster, contenders.onStatic, (running) =>
      measureCold(cluster, running, { nodes, blocks }),
    );
    const onAzure = await withContender(cluster, contenders.onAzure, async (running) => {
      arm.forgetCalls();
      const cold = await measureCold(cluster, running, { nodes, blocks });
      const coldCalls = arm.calls.length;
      arm.forgetCalls();
      await sleep(ports.clock, refreshSeconds * 1_000);
      return { ...cold, coldCalls, refreshCalls: arm.calls.length };
    });
    const newNodes = await withContender(cluster, contenders.withRoutes, (running) =>
      measureNewNodes({ cluster, azure, running, nodes }),
    );
    return report({ nodes, pageSize: arm.pageSize, onAzure, onStatic, newNodes });
  });
}

interface ColdStart extends TimedRun {
  readonly longestBlockMs: number;
}

async function measureCold(
  cluster: Cluster,
  running: StartedContender,
  { nodes, blocks }: { readonly nodes: number; readonly blocks: BlockLog },
): Promise<ColdStart> {
  // Loading the program blocks the event loop once, before the manager leads.
  await untilDone(cluster.ports, async () => (await running.log()).includes('Started controller'));
  const startedMs = cluster.ports.clock.now();
  const run = await measureInitialization(cluster, running, nodes);
  return { ...run, longestBlockMs: (await blocks.longestSince(startedMs)).wallMs };
}

async function prepare(setup: {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly azure: FakeAzure;
  readonly nodes: number;
  readonly refreshSeconds: number;
  readonly blocks: BlockLog;
}): Promise<Record<'onAzure' | 'onStatic' | 'withRoutes', Contender>> {
  const { folder, cluster, azure, nodes, refreshSeconds, blocks } = setup;
  const fileOf = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const inventory = await fileOf('inventory.yaml', inventoryOf(nodes));
  const config = await fileOf('azure.json', JSON.stringify(azure.config()));
  const ca = await fileOf('ca.pem', azure.ca);
  const selector = JSON.stringify({ matchLabels: routedLabel });
  const managerConfig = await fileOf(
    'config.yaml',
    `apiVersion: tandem.dev/v1alpha1\nkind: ManagerConfiguration\nroutes: {selector: ${selector}}\n`,
  );
  const { kubeconfig } = cluster.controlPlane;
  // Two benches may run on one machine.
  const flags = [`--node-status-update-frequency=${refreshSeconds}s`, '--secure-port=0'];
  const logFile = join(folder, 'log');
  const shared = { kubeconfig, logFile, environment: blocks.environment };
  const onAzure = {
    ...shared,
    provider: 'azure',
    inventory: config,
    environment: { ...blocks.environment, NODE_EXTRA_CA_CERTS: ca },
  };
  const routes = ['--cluster-cidr=10.244.0.0/16,fd00:10:244::/48', `--config=${managerConfig}`];
  return {
    onStatic: tandem({ ...shared, flags, name: 'Tandem, static', inventory }),
    onAzure: tandem({
      ...onAzure,
      name: 'Tandem, azure',
      flags: [...flags, '--configure-cloud-routes=false'],
    }),
    withRoutes: tandem({ ...onAzure, name: 'Tandem, azure, routes', flags: [...flags, ...routes] }),
  };
}

function report(measured: {
  readonly nodes: number;
  readonly pageSize: number;
  readonly onAzure: ColdStart & { readonly coldCalls: number; readonly refreshCalls: number };
  readonly onStatic: ColdStart;
  readonly newNodes: NewNodes;
}): Report {
  const { nodes, pageSize, onAzure, onStatic, newNodes } = measured;
  const figures = {
    nodes,
    coldCalls: onAzure.coldCalls,
    refreshCalls: onAzure.refreshCalls,
    ...newNodes,
    coldSeconds: onAzure.seconds,
    coldSecondsOfStatic: onStatic.seconds,
    cpuSeconds: onAzure.cpuSeconds,
    cpuSecondsOfStatic: onStatic.cpuSeconds,
    longestBlockMs: onAzure.longestBlockMs,
    longestBlockMsOfStatic: onStatic.longestBlockMs,
    peakMB: onAzure.peakMB,
    peakMBAboveStatic: onAzure.peakMB - onStatic.peakMB,
  };
  const pages = Math.ceil(nodes / scaleSetCount / pageSize);
  const calls = { atMost: kindsOfGroup + scaleSetCount * pages * kindsOfScaleSet };
  const targets = {
    coldCalls: calls,
    refreshCalls: calls,
    tableReads: { atMost: 3 },
    tableWrites: { atMost: 1 },
    longestBlockMs: { atMost: 100 },
    peakMBAboveStatic: { atMost: 70 },
  };
  return { name: 'azure', figures, targets };
}

/** Machines, their states, scale sets, interfaces and public addresses. */
const kindsOfGroup = 5;
/** Instances, interfaces and public addresses. */
const kindsOfScaleSet = 3;
