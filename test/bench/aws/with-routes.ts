/**
 * A fleet with routes: what the cloud is asked in a minute in which nothing happens, and for nodes that are added.
 * The routes of the nodes that are there at the start stand already.
 */
import { sleep } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';
import type { Contender } from '../contest/contender.ts';
import { aRegisteredNode } from '../contest/fleet.ts';
import { withContender } from '../contest/run.ts';
import { podCIDRsOf } from '../ipam/fleet.ts';
import { processUsage } from '../../support/process-usage.ts';
import { verifyConditions } from '../routes/verify.ts';
import { describeCalls, measureStarted, takeCalls } from './cold-start.ts';
import { aPlainInstance, withFleet } from './instances.ts';
import type { AWSBench } from './aws-bench.ts';
import type { AWSSettings } from './settings.ts';

export interface RouteFigures {
  readonly minuteCalls: number;
  readonly newNodesCalls: number;
  readonly newNodesSeconds: number;
  readonly newNodesCpuSeconds: number;
}

export async function measureWithRoutes(
  scene: AWSBench,
  options: {
    readonly contender: Contender;
    readonly settings: AWSSettings;
    readonly podCIDRs: PodCIDRs;
  },
): Promise<RouteFigures> {
  const { contender, settings, podCIDRs } = options;
  const { cluster, ec2 } = scene;
  const { clock, say } = cluster.ports;
  const { smallNodes, newNodes, quietSeconds } = settings;
  await cluster.wipe();
  await cluster.register(smallNodes, (number) => aNodeWith(number, podCIDRs));
  const numbers = Array.from({ length: smallNodes + newNodes }, (_, number) => number);
  const instances = numbers.map((number) =>
    aPlainInstance(number, { sourceDestCheck: number >= smallNodes }),
  );
  ec2.state = withFleet(ec2.state, instances, (number) =>
    number < smallNodes ? podCIDRs(number) : [],
  );
  takeCalls(ec2);
  return withContender(cluster, contender, async (running) => {
    await measureStarted(scene, running, smallNodes);
    await verifyConditions(cluster, smallNodes);
    await cluster.untilQuiet(running.pid);
    takeCalls(ec2);
    await sleep(clock, quietSeconds * 1_000);
    const minute = takeCalls(ec2);
    say(`  ${quietSeconds} s: ${describeCalls(minute)}`);
    const before = { ms: clock.monotonic(), ...(await processUsage(running.pid)) };
    const load = await cluster.load();
    await load.createNodes(newNodes, (number) => aNodeWith(smallNodes + number, podCIDRs));
    await untilRouted(scene, numbers.flatMap(podCIDRs));
    await verifyConditions(cluster, smallNodes + newNodes);
    const newNodesSeconds = (clock.monotonic() - before.ms) / 1_000;
    const calls = takeCalls(ec2);
    say(`  ${newNodes} new nodes in ${newNodesSeconds.toFixed(0)} s: ${describeCalls(calls)}`);
    return {
      minuteCalls: minute.length,
      newNodesCalls: calls.length,
      newNodesSeconds,
      newNodesCpuSeconds: (await processUsage(running.pid)).cpuSeconds - before.cpuSeconds,
    };
  });
}

/** The pod CIDRs of the node with that number. */
type PodCIDRs = (number: number) => readonly string[];

export const bothFamilies: PodCIDRs = podCIDRsOf;

/** Upstream cannot route IPv6 on AWS. */
export const onlyIPv4: PodCIDRs = (number) => podCIDRsOf(number).slice(0, 1);

/** It asks for no node IP, and so gets one of each family. */
function aNodeWith(number: number, podCIDRs: PodCIDRs): object {
  const node = aRegisteredNode(number, '');
  const [podCIDR, ...more] = podCIDRs(number);
  return { ...node, spec: { ...node.spec, podCIDR, podCIDRs: [podCIDR, ...more] } };
}

/** The fake is in this process, so that looking costs nothing. */
async function untilRouted({ ec2 }: AWSBench, destinations: readonly string[]): Promise<void> {
  await eventually(
    async () => {
      const routes = [...ec2.state.tables.values()].flatMap((table) => table.routes);
      const standing = new Set(routes.map(({ destination }) => destination));
      const missing = destinations.filter((destination) => !standing.has(destination));
      if (missing.length > 0) throw new Error(`${missing.length} routes are missing`);
      return true;
    },
    { withinMs: 600_000 },
  );
}
