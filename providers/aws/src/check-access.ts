/**
 * Checks at start which calls the account may make. Without DescribeInstances nothing works, so the check fails. Every
 * other missing permission disables one feature, and the check names both.
 */
import type { AccessGap, AccessOptions } from '@tandem/provider/plug';
import { gapOf } from './access-gap.ts';
import type { Cluster } from './cluster.ts';
import type { InstanceApi } from './instance-api.ts';
import type { AWSRoutes } from './routes/index.ts';
import type { ZoneIds } from './zone-ids.ts';

export interface AccessQuestions {
  readonly instances: InstanceApi;
  readonly zoneIds: ZoneIds;
  readonly cluster: Cluster;
  readonly routes: AWSRoutes;
}

export async function checkAccess(
  { instances, zoneIds, cluster, routes }: AccessQuestions,
  { signal, routedNodes }: AccessOptions,
): Promise<readonly AccessGap[]> {
  await instances.checkAccess(signal);
  const gaps = [
    await gapOf('Nodes get no label topology.k8s.aws/zone-id', () => zoneIds.check(signal)),
    await gapOf('Nodes that register without a providerID are not initialised', () =>
      cluster.id(signal),
    ),
  ];
  if (routedNodes !== undefined) gaps.push(await routes.findGaps(routedNodes, signal));
  return gaps.flat();
}
