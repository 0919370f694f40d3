/**
 * What the lifecycle controller costs with 5,000 nodes on a real API server: while all are Ready, while a
 * fifth of them is NotReady but there, and while the cloud says that this fifth is gone and the brake
 * holds. The program is the bundle. `BENCH_NODES` makes it smaller while something is being tried.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedCloud } from '@tandem/provider-simulated';
import { Limiter, systemEnvironment } from '@tandem/runtime';
import { bundleForBench } from '../bundle.ts';
import { withClosers } from '../closers.ts';
import { Cluster, nodes as nodeResource } from '../contest/cluster.ts';
import { aNode, nodeName } from '../informer/node-objects.ts';
import { readSettings } from '../init/settings.ts';
import type { BenchPorts, Report } from '../report.ts';
import { type Watched, watchManager } from './manager.ts';
import { fill } from './paged-cloud.ts';

const idleSeconds = 20;
/** Looks at what is found come after 0, 5, 15 and 35 s. */
const foundSeconds = 40;
/** Doubts are followed up in every pass for the 15 s of the grace; what is held is looked at less often. */
const absentSeconds = 45;

export function benchLifecycle(ports: BenchPorts): Promise<Report> {
  const { nodes } = readSettings(systemEnvironment());
  return withClosers(async (closers) => {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
    closers.add(() => rm(folder, { recursive: true, force: true }));
    const source = join(import.meta.dirname, 'paged-cloud.ts');
    const provider = (await bundleForBench(folder, { 'paged-cloud': source }))('paged-cloud');
    const cluster = await Cluster.start(ports, closers);
    return measure({ cluster, folder, provider, nodes });
  });
}

interface Setting {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly provider: string;
  readonly nodes: number;
}

async function measure(setting: Setting): Promise<Report> {
  const { cluster, nodes } = setting;
  const { say } = cluster.ports;
  const notReady = nodes / 5;
  await createNodes(setting);
  const machines = { machines: nodes, gone: 0 };
  say(`all nodes are Ready, ${idleSeconds} s`);
  const idle = await watchManager({ ...setting, cloud: machines, seconds: idleSeconds });
  await failNodes(setting, notReady);
  say(`a fifth of them is NotReady, ${foundSeconds} s`);
  const found = await watchManager({ ...setting, cloud: machines, seconds: foundSeconds });
  say(`the cloud says that this fifth is gone, ${absentSeconds} s`);
  const lost = { ...machines, gone: notReady };
  const absent = await watchManager({ ...setting, cloud: lost, seconds: absentSeconds });
  const busy = [...found.passes, ...absent.passes];
  const idleCpuMsPerSecond = idle.cpuMs / idleSeconds;
  return {
    name: 'lifecycle',
    figures: {
      nodes,
      cloudCallsPerPassMax: Math.max(...busy.map(({ lookups }) => lookups)),
      cloudPagesPerPassMax: Math.max(...busy.map(({ pages }) => pages)),
      nodesPerPassMax: Math.max(...busy.map((pass) => pass.nodes)),
      cloudCallsAllReady: idle.passes.length,
      apiCallsAllReady: idle.apiCalls,
      apiCallsFound: found.apiCalls,
      passesFound: found.passes.length,
      passesAbsent: absent.passes.length,
      idleCpuMsPerSecond,
      passCpuMsFound: cpuMsPerPass(found, idleCpuMsPerSecond * foundSeconds),
      // The events of those that are held are paid here too, once.
      passCpuMsAbsent: cpuMsPerPass(absent, idleCpuMsPerSecond * absentSeconds),
      nodesDeletedUnderTheBrake: nodes - (await cluster.initializedCount()),
    },
    targets: {
      cloudCallsPerPassMax: { atMost: 10 },
      cloudPagesPerPassMax: { atMost: 10 },
      nodesPerPassMax: { atLeast: notReady },
      cloudCallsAllReady: { atMost: 0 },
      apiCallsAllReady: { atMost: 0 },
      apiCallsFound: { atMost: 0 },
      passCpuMsFound: { atMost: 100 },
      nodesDeletedUnderTheBrake: { atMost: 0 },
    },
  };
}

/** What was used beyond what is used when nothing happens, shared out to the passes that looked. */
function cpuMsPerPass({ cpuMs, passes }: Watched, idleCpuMs: number): number {
  return (cpuMs - idleCpuMs) / passes.length;
}

/** Nodes that have been initialised, each on a machine of the cloud. */
async function createNodes({ cluster, nodes }: Setting): Promise<void> {
  const providerIDs = fill(new SimulatedCloud(cluster.ports), nodes);
  const load = await cluster.load();
  await load.createNodes(nodes, (number) => {
    const { spec, ...node } = aNode(number);
    return { ...node, spec: { ...spec, providerID: providerIDs[number] } };
  });
}

/** The first of them are not heard of any more. */
async function failNodes({ cluster }: Setting, count: number): Promise<void> {
  const client = await cluster.client();
  const few = new Limiter({ concurrency: 16 });
  const body = { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } };
  const contentType = 'application/strategic-merge-patch+json';
  const fail = async (number: number): Promise<void> => {
    const resource = { ...nodeResource, name: nodeName(number), subresource: 'status' };
    await client.call({ verb: 'patch', resource, body, contentType });
  };
  await Promise.all(Array.from({ length: count }, (_, number) => few.run(() => fail(number))));
}
