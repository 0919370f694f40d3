/**
 * What it costs to give a fleet its pod CIDRs in both families: 5,000 initialised nodes of 9.4 KB on one
 * real API server. A client without any logic, Tandem's node-ipam controller and that of upstream's
 * kube-controller-manager with its limits lifted take turns, each on the same state. Then Tandem runs once
 * with all controllers, on nodes that have just been registered. `settings.ts` says how to make it smaller.
 */
import { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import type { TimedRun } from '../contest/figures.ts';
import { aRegisteredNode } from '../contest/fleet.ts';
import { measureInTurns } from '../contest/in-turns.ts';
import type { BenchPorts, Report } from '../report.ts';
import { type Contenders, prepareContenders } from './contenders.ts';
import { report } from './figures.ts';
import { anInitializedNode } from './fleet.ts';
import { measureAllocation, measureInitializationAndAllocation } from './run.ts';
import { type IpamSettings, readSettings } from './settings.ts';

export function benchIpam(ports: BenchPorts): Promise<Report> {
  const settings = readSettings();
  return Cluster.with(ports, async (cluster, folder) => {
    const { kubeconfig } = cluster.controlPlane;
    const contenders = await prepareContenders({ folder, kubeconfig, nodes: settings.nodes });
    return measureAll(cluster, contenders, settings);
  });
}

async function measureAll(
  cluster: Cluster,
  contenders: Contenders,
  settings: IpamSettings,
): Promise<Report> {
  const { nodes, rounds } = settings;
  const { say } = cluster.ports;
  const measure = (contender: Contender): Promise<TimedRun> =>
    measureAllocation(cluster, contender, nodes);
  say(`registering ${nodes} initialised nodes`);
  await cluster.register(nodes, anInitializedNode);
  const [bare = [], tandem = [], upstream = []] = await measureInTurns(cluster.ports, {
    contenders: [contenders.bare, contenders.tandem, contenders.upstream],
    rounds,
    measure,
  });
  const upstreamDefault: TimedRun[] = [];
  if (settings.withDefaultFlags) upstreamDefault.push(await measure(contenders.upstreamDefault));
  else say(defaultFlagsNote);
  await cluster.wipe();
  say(`registering ${nodes} new nodes`);
  await cluster.register(nodes, aRegisteredNode);
  const all = await measureInitializationAndAllocation(cluster, contenders.tandemAll, nodes);
  return report({ settings, bare, tandem, upstream, upstreamDefault, all });
}

const defaultFlagsNote =
  'kube-controller-manager with its default flags is left out: it takes about 250 s for 5,000 nodes. ' +
  'BENCH_DEFAULT_FLAGS=1 measures it once.';
