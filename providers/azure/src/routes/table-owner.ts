/**
 * Checks which cluster a route table belongs to. The names of routes do not contain the cluster, and two clusters may
 * have the same pod CIDRs, so the provider leaves a table with the tag of another cluster alone. A table without the
 * tag, such as one that upstream's manager created, counts as ours because the configuration names it.
 */
import type { RouteTable } from '@azure/arm-network';
import { quote } from '@tandem/core/node-address';
import { AzureError } from '../failure.ts';

/** Upstream's tag, which its manager puts on public addresses. The value may name several clusters. */
export const clusterTag = 'k8s-azure-cluster-name';

export function requireOwn({ name = '', tags = {} }: RouteTable, clusterName: string): void {
  const [, owners] = Object.entries(tags).find(([key]) => key.toLowerCase() === clusterTag) ?? [];
  if (!owners || owners.split(',').some((owner) => owner.trim() === clusterName)) return;
  const message =
    `Route table ${name} has the tag ${clusterTag} of cluster ${quote(owners)}, and --cluster-name is ` +
    `${quote(clusterName)}. Correct routeTableName in --cloud-config`;
  throw new AzureError('AzureRouteTableForeign', message);
}
