/**
 * What a fleet on AWS costs: nodes registered on one real API server, the manager that ships, the real SDK
 * in it, and the fake of EC2 behind that. The same nodes as machines of the provider static tell what the
 * SDK takes in memory and time. `BENCH_NODES` makes it smaller, and `BENCH_REFRESH_SECONDS` the time in which
 * all nodes are looked up once more. The manager spreads that evenly and begins at once, so that calls of the
 * first refresh are among those of a cold start, the more of them the longer it takes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep, systemEnvironment } from '@tandem/runtime';
import { FakeEC2 } from '../../support/ec2/index.ts';
import { withClosers } from '../closers.ts';
import { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { aRegisteredNode, staticInventory } from '../contest/fleet.ts';
import { type RunUsage, untilDone, usageAtRest, withContender } from '../contest/run.ts';
import { readCount } from '../contest/settings.ts';
import { tandem } from '../contest/tandem.ts';
import type { BenchPorts, Report } from '../report.ts';
import { fleetOfInstances } from './instances.ts';

const region = 'eu-central-1';

const cloudConf = `[Global]
Region = ${region}
KubernetesClusterID = bench
NodeIPFamilies = ipv4
NodeIPFamilies = ipv6
`;

export function benchAWS(ports: BenchPorts): Promise<Report> {
  const nodes = readCount(systemEnvironment(), 'BENCH_NODES', 5_000);
  const refreshSeconds = readCount(systemEnvironment(), 'BENCH_REFRESH_SECONDS', 300);
  return withClosers(async (closers) => {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
    closers.add(() => rm(folder, { recursive: true, force: true }));
    const ec2 = await FakeEC2.start(region);
    closers.add(() => ec2.close());
    ec2.state = { ...ec2.state, instances: fleetOfInstances(nodes, region) };
    const cluster = await Cluster.start(ports, closers);
    ports.say(`registering ${nodes} nodes`);
    await cluster.register(nodes, aRegisteredNode);
    const contenders = await prepare({ folder, cluster, ec2, nodes, refreshSeconds });
    const onStatic = await measure(cluster, contenders.onStatic, nodes);
    const onAWS = await withContender(cluster, contenders.onAWS, async (running) => {
      const cold = await measureStarted(cluster, running, nodes);
      const coldCalls = ec2.calls.splice(0).length;
      await sleep(ports.clock, refreshSeconds * 1_000);
      return { ...cold, coldCalls, refreshCalls: ec2.calls.length };
    });
    return report(nodes, onAWS, onStatic);
  });
}

interface ColdStart extends RunUsage {
  readonly seconds: number;
}

function measure(cluster: Cluster, contender: Contender, nodes: number): Promise<ColdStart> {
  return withContender(cluster, contender, (running) => measureStarted(cluster, running, nodes));
}

async function measureStarted(
  cluster: Cluster,
  running: Parameters<typeof usageAtRest>[1],
  nodes: number,
): Promise<ColdStart> {
  await untilDone(cluster.ports, async () => !(await cluster.hasUninitialized()));
  const seconds = (cluster.ports.clock.monotonic() - running.startMs) / 1_000;
  return { ...(await usageAtRest(cluster, running, nodes)), seconds };
}

async function prepare(scene: {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly ec2: FakeEC2;
  readonly nodes: number;
  readonly refreshSeconds: number;
}): Promise<{ readonly onAWS: Contender; readonly onStatic: Contender }> {
  const { folder, cluster, ec2, nodes, refreshSeconds } = scene;
  const [inventory, config] = [join(folder, 'inventory.yaml'), join(folder, 'cloud.conf')];
  await writeFile(inventory, staticInventory(nodes));
  await writeFile(config, cloudConf);
  const { kubeconfig } = cluster.controlPlane;
  // Two benches may run on one machine.
  const flags = [`--node-status-update-frequency=${refreshSeconds}s`, '--secure-port=0'];
  const shared = { kubeconfig, flags, logFile: join(folder, 'log') };
  return {
    onStatic: tandem({ ...shared, name: 'Tandem, static', inventory }),
    onAWS: tandem({
      ...shared,
      name: 'Tandem, aws',
      provider: 'aws',
      inventory: config,
      environment: {
        AWS_ENDPOINT_URL_EC2: ec2.url,
        AWS_ACCESS_KEY_ID: ec2.accessKeyId,
        AWS_SECRET_ACCESS_KEY: 'secret',
      },
    }),
  };
}

function report(
  nodes: number,
  onAWS: ColdStart & { readonly coldCalls: number; readonly refreshCalls: number },
  onStatic: ColdStart,
): Report {
  const figures = {
    nodes,
    coldCalls: onAWS.coldCalls,
    refreshCalls: onAWS.refreshCalls,
    coldSeconds: onAWS.seconds,
    coldSecondsOfStatic: onStatic.seconds,
    cpuSeconds: onAWS.cpuSeconds,
    cpuSecondsOfStatic: onStatic.cpuSeconds,
    peakMB: onAWS.peakMB,
    peakMBAboveStatic: onAWS.peakMB - onStatic.peakMB,
  };
  // 30 for 5,000 nodes: one for 200 instances, and a few.
  const calls = { atMost: Math.ceil(nodes / 200) + 5 };
  const targets = { coldCalls: calls, refreshCalls: calls, peakMBAboveStatic: { atMost: 90 } };
  return { name: 'aws', figures, targets };
}
