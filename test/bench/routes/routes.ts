/**
 * What it costs to give the cloud the routes of a fleet: 5,000 initialised nodes of 9.4 KB with two pod CIDRs
 * each, on one real API server, and a route table in memory that takes 50 ms for a call. Tandem sends batches of
 * 100; upstream's route controller, with its limits lifted, sends each route by itself, as its interface has it.
 * Both take turns on the same state. Tandem has one more run with four batches at once. Then a converged cluster is watched, and nodes are added to it.
 * `settings.ts` says how to make it smaller.
 */
import { Cluster } from '../contest/cluster.ts';
import { measureInTurns } from '../contest/in-turns.ts';
import type { BenchPorts, Report } from '../report.ts';
import { type Contenders, prepareContenders } from './contenders.ts';
import { measureConverged } from './converged.ts';
import { report } from './figures.ts';
import { Fleet } from './fleet.ts';
import { measureRoutes } from './run.ts';
import { readSettings, type RoutesSettings } from './settings.ts';
import { verifyTable } from './verify.ts';

export function benchRoutes(ports: BenchPorts): Promise<Report> {
  const settings = readSettings();
  return Cluster.with(ports, async (cluster, folder) => {
    const { kubeconfig } = cluster.controlPlane;
    const contenders = await prepareContenders({ folder, kubeconfig, settings });
    return measureAll(cluster, contenders, settings);
  });
}

async function measureAll(
  cluster: Cluster,
  contenders: Contenders,
  settings: RoutesSettings,
): Promise<Report> {
  const { nodes, rounds } = settings;
  const { say } = cluster.ports;
  const fleet = new Fleet(cluster.ports, nodes);
  say(`registering ${nodes} nodes with pod CIDRs`);
  await cluster.register(nodes, (number) => fleet.aNode(number));
  const [tandem = [], upstream = []] = await measureInTurns(cluster.ports, {
    contenders: [contenders.tandem, contenders.upstream],
    rounds,
    async measure(contender) {
      const run = await measureRoutes(cluster, contender, nodes);
      if (contender === contenders.tandem) {
        verifyTable(await contenders.tableOfTandem(), fleet.wantedRoutes(nodes));
      }
      return run;
    },
  });
  const parallel = await measureRoutes(cluster, contenders.tandemParallel, nodes);
  const contender = contenders.tandem;
  const converged = await measureConverged(cluster, { contender, fleet, settings });
  return report({ settings, tandem, upstream, parallel, converged });
}
