/**
 * Finds the cluster's route tables: those that the configuration names, else those that have the cluster's tag. A table
 * of another cluster is refused even if the configuration names it, because Tandem would take its routes inside our
 * cluster CIDRs for ours.
 */
import { enumerate } from '@tandem/core/node-address';
import { clusterIdsOf, legacyTag, tagKeyOf } from '../cluster.ts';
import { AWSError } from '../failure.ts';
import type { RouteTable } from '../sdk/actions.ts';
import type { RouteApi } from './route-api.ts';

export interface FindTablesOptions {
  readonly api: RouteApi;
  /** From the key `RouteTableID`. */
  readonly tableIds: readonly string[];
  readonly clusterId: string;
  readonly signal: AbortSignal;
}

export async function findTables(options: FindTablesOptions): Promise<readonly RouteTable[]> {
  const { api, tableIds, clusterId, signal } = options;
  return tableIds.length === 0
    ? tablesOfCluster(
        await api.findTables({ Name: 'tag-key', Values: [tagKeyOf(clusterId), legacyTag] }, signal),
        clusterId,
      )
    : namedTables(
        await api.findTables({ Name: 'route-table-id', Values: [...tableIds] }, signal),
        options,
      );
}

function tablesOfCluster(tables: readonly RouteTable[], clusterId: string): readonly RouteTable[] {
  const own = tables.filter((table) => clusterIdsOf(table).includes(clusterId));
  if (own.length > 0) return own;
  throw unusable(`no route table has the tag ${tagKeyOf(clusterId)}`);
}

function namedTables(
  tables: readonly RouteTable[],
  { tableIds, clusterId }: FindTablesOptions,
): readonly RouteTable[] {
  const found = new Set(tables.map(({ RouteTableId }) => RouteTableId));
  const missing = tableIds.filter((id) => !found.has(id));
  if (missing.length > 0) throw unusable(`RouteTableID ${enumerate(missing)} does not exist`);
  for (const table of tables) {
    const owners = clusterIdsOf(table);
    if (owners.length === 0 || owners.includes(clusterId)) continue;
    throw unusable(
      `RouteTableID ${table.RouteTableId} has the tag of cluster ${enumerate(owners)}`,
    );
  }
  return tables;
}

function unusable(why: string): AWSError {
  return new AWSError('AWSRouteTableUnknown', `Routes cannot be managed: ${why}`);
}
