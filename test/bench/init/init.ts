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
import { measureInTurns, type PerContender } from '../contest/in-turns.ts';
import { tandem } from '../contest/tandem.ts';
import type { BenchPorts, Report } from '../report.ts';
import { countedTandem, upstream } from './contenders.ts';
import { measureConverged } from './converged.ts';
import { report } from './figures.ts';
import { measureRun, type RunFigures } from './run.ts';
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

interface Contenders extends PerContender<Contender> {
  readonly bareSilent: Contender;
  readonly countedTandem: Contender;
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
  const registerSeconds = await cluster.register(nodes, aRegisteredNode);
  const bytesOfNode = await (await cluster.load()).bytesOfNode();
  const measure = (contender: Contender): Promise<RunFigures> =>
    measureRun(cluster, contender, nodes);
  const bareSilent = await measure(contenders.bareSilent);
  const inTurns = await measureInTurns(cluster.ports, { contenders, rounds, measure });
  const upstreamDefaultNodesPerSecond = await measureRate(
    cluster,
    contenders.upstreamDefault,
    defaultSeconds,
  );
  const converged = await measureConverged(cluster, contenders.countedTandem, settings);
  const before = { settings, bytesOfNode, registerSeconds, startMs };
  return report({ ...before, bareSilent, ...inTurns, upstreamDefaultNodesPerSecond, converged });
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
  const ofBare = { program: bundled('bare-client'), kubeconfig, nodes, logFile };
  const ofTandem = { kubeconfig, inventory, logFile };
  const machines = Array.from({ length: nodes }, (_, number) => instanceOf(number));
  const ofUpstream = { program: manager, kubeconfig, inventory: machines };
  return {
    bareSilent: bareClient({ ...ofBare, name: 'bare client, silent', args: ['silent'] }),
    bare: bareClient({ ...ofBare, name: 'bare client, event', args: ['event'] }),
    tandem: tandem(ofTandem),
    countedTandem: countedTandem({ ...ofTandem, provider: bundled('counting-provider') }),
    upstream: upstream({ ...ofUpstream, limits: 'lifted' }),
    upstreamDefault: upstream({ ...ofUpstream, limits: 'default' }),
  };
}
