/**
 * What it costs to initialise a fleet: 5,000 nodes of 9.4 KB, registered beforehand, on one real API
 * server. A client without any logic, Tandem with its default flags and upstream's manager with its
 * limits lifted take turns, each on the same state; upstream with its default flags is watched for a
 * part. Then a converged cluster is changed and watched. `settings.ts` says how to make it smaller.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goPrograms, requireGoProgram } from '../../support/go-program.ts';
import { bundleForBench } from '../bundle.ts';
import { bareClient } from '../contest/bare-client.ts';
import { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { aRegisteredNode, instanceOf, staticInventory } from '../contest/fleet.ts';
import { measureInTurns } from '../contest/in-turns.ts';
import { tandem } from '../contest/tandem.ts';
import type { BenchPorts, Report } from '../report.ts';
import { type CountedContender, countedTandem, liftedLimits, upstream } from './contenders.ts';
import { measureConverged } from './converged.ts';
import { report } from './figures.ts';
import { measureRun } from './run.ts';
import { type InitSettings, readSettings } from './settings.ts';
import { measureStart } from './start-time.ts';
import { measureRate } from './upstream-default.ts';

export function benchInit(ports: BenchPorts): Promise<Report> {
  const settings = readSettings();
  return Cluster.with(ports, async (cluster, folder) => {
    const contenders = await prepare({ folder, cluster, settings });
    return measureAll(cluster, contenders, settings);
  });
}

interface Contenders {
  readonly bare: Contender;
  readonly tandem: Contender;
  readonly countedTandem: CountedContender;
  readonly upstream: CountedContender;
  readonly upstreamDefault: Contender;
}

async function measureAll(
  cluster: Cluster,
  contenders: Contenders,
  settings: InitSettings,
): Promise<Report> {
  const { nodes, rounds, defaultSeconds } = settings;
  const { say } = cluster.ports;
  const startMs: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    startMs.push(await measureStart(cluster, contenders.tandem));
  }
  await cluster.wipe();
  say(`registering ${nodes} nodes`);
  await cluster.register(nodes, aRegisteredNode);
  const [bare = [], ours = [], theirs = []] = await measureInTurns(cluster.ports, {
    contenders: [contenders.bare, contenders.tandem, contenders.upstream],
    rounds,
    measure: (contender) => measureRun(cluster, contender, nodes),
  });
  const upstreamCloudCalls = await contenders.upstream.cloudCalls();
  const upstreamDefaultNodesPerSecond = await measureRate(
    cluster,
    contenders.upstreamDefault,
    defaultSeconds,
  );
  const converged = await measureConverged(cluster, contenders.countedTandem, settings);
  const around = { settings, startMs, upstreamCloudCalls, upstreamDefaultNodesPerSecond };
  return report({ ...around, bare, tandem: ours, upstream: theirs, converged });
}

const starts = 3;

async function prepare(scene: {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly settings: InitSettings;
}): Promise<Contenders> {
  const { folder, cluster, settings } = scene;
  const { kubeconfig } = cluster.controlPlane;
  const { nodes } = settings;
  const manager = await requireGoProgram(goPrograms.upstreamManager);
  const bundled = await bundleForBench(folder, {
    'bare-client': join(import.meta.dirname, 'bare-client', 'main.ts'),
    'counting-provider': join(import.meta.dirname, 'counting-provider.ts'),
  });
  const inventory = join(folder, 'inventory.yaml');
  await writeFile(inventory, staticInventory(nodes));
  const logFile = join(folder, 'log');
  const ofTandem = { kubeconfig, inventory, logFile };
  const machines = Array.from({ length: nodes }, (_, number) => instanceOf(number));
  const ofUpstream = { program: manager, kubeconfig, inventory: machines };
  return {
    bare: bareClient({ program: bundled('bare-client'), kubeconfig, nodes, logFile }),
    tandem: tandem(ofTandem),
    countedTandem: countedTandem({ ...ofTandem, provider: bundled('counting-provider') }),
    upstream: upstream('upstream, limits lifted', { ...ofUpstream, flags: liftedLimits }),
    upstreamDefault: upstream('upstream, default flags', ofUpstream),
  };
}
