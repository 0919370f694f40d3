/**
 * What a fleet on AWS costs: nodes registered on one real API server, the manager that ships, the real SDK in it,
 * and the fake of EC2 behind that. A small fleet is started cold by Tandem and by upstream's manager for AWS, and
 * then has routes and gets new nodes. A large fleet is started cold and refreshed once; the same nodes as machines of
 * the provider static tell what the SDK takes in memory and time. `settings.ts` says how to make it smaller.
 */
import { Cluster } from '../contest/cluster.ts';
import { aRegisteredNode } from '../contest/fleet.ts';
import type { BenchPorts, Report } from '../report.ts';
import { measureColdStart } from './cold-start.ts';
import { report } from './figures.ts';
import { aPlainInstance, withFleet } from './instances.ts';
import { measureLargeFleet } from './large-fleet.ts';
import { type AWSBench, openAWSBench } from './aws-bench.ts';
import { type AWSSettings, readSettings } from './settings.ts';
import { bothFamilies, measureWithRoutes, onlyIPv4 } from './with-routes.ts';

export function benchAWS(ports: BenchPorts): Promise<Report> {
  const settings = readSettings();
  return Cluster.with(ports, async (cluster, folder) => {
    const scene = await openAWSBench(cluster, folder);
    await registerSmallFleet(scene, settings);
    const { smallNodes } = settings;
    const small = await measureColdStart(scene, scene.tandem('Tandem, small fleet'), smallNodes);
    const upstreamSmall = await measureColdStart(
      scene,
      scene.upstream('upstream, small fleet', ['--configure-cloud-routes=false']),
      smallNodes,
    );
    const routes = await measureWithRoutes(scene, {
      contender: scene.tandem('Tandem, routes', [
        ...routeFlags,
        '--cluster-cidr=10.0.0.0/8,fd00::/48',
      ]),
      settings,
      podCIDRs: bothFamilies,
    });
    const upstreamRoutes = await measureWithRoutes(scene, {
      contender: scene.upstream('upstream, routes', [...routeFlags, '--cluster-cidr=10.0.0.0/8']),
      settings,
      podCIDRs: onlyIPv4,
    });
    const large = await measureLargeFleet(scene, folder, settings);
    return report({ settings, large, small, upstreamSmall, routes, upstreamRoutes });
  });
}

const routeFlags = ['--configure-cloud-routes=true'] as const;

async function registerSmallFleet(
  { cluster, ec2 }: AWSBench,
  { smallNodes }: AWSSettings,
): Promise<void> {
  cluster.ports.say(`registering ${smallNodes} nodes`);
  await cluster.register(smallNodes, aRegisteredNode);
  const numbers = Array.from({ length: smallNodes }, (_, number) => number);
  const instances = numbers.map((number) => aPlainInstance(number, { sourceDestCheck: true }));
  ec2.state = withFleet(ec2.state, instances);
}
