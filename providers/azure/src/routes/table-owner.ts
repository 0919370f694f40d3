/**
 * Whose route table it is. Names of routes do not say which cluster they are of, and two clusters may have
 * the same pod CIDRs, so that a table with the tag of another cluster is left alone. Tables without the tag,
 * such as those that upstream created, are taken for ours because the configuration names them.
 */
import type { RouteTable } from '@azure/arm-network';
import { quote } from '@tandem/core/node-address';
import { AzureError } from '../failure.ts';

/** Upstream's, which it puts on public addresses. The value may name several clusters. */
export const clusterTag = 'k8s-azure-cluster-name';

export function requireOwn({ name = '', tags = {} }: RouteTable, clusterName: string): void {
  const [, owners] = Object.entries(tags).find(([key]) => key.toLowerCase() === clusterTag) ?? [];
  if (!owners || owners.split(',').some((owner) => owner.trim() === clusterName)) return;
  const message =
    `Route table ${name} has the tag ${clusterTag} of cluster ${quote(owners)}, and --cluster-name is ` +
    `${quote(clusterName)}. Correct routeTableName in --cloud-config`;
  throw new AzureError('AzureRouteTableForeign', message);
}
