/** Whether a run did what it was measured for. */
import { type Cluster, lastRevision } from '../contest/cluster.ts';
import type { TableFile } from './batching-cloud.ts';

/** Rejects unless every node says that its network is there. Gives the revision of the last write to a node. */
export async function verifyConditions(cluster: Cluster, count: number): Promise<number> {
  const seen = await cluster.verifyNodes<SeenNode>(count, ({ metadata, status }) => {
    const condition = status.conditions.find(({ type }) => type === 'NetworkUnavailable');
    if (condition?.status === 'False' && condition.reason === 'RouteCreated') return;
    throw new Error(`${metadata.name} has ${JSON.stringify(condition)}`);
  });
  return lastRevision(seen);
}

interface SeenNode {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly status: {
    readonly conditions: readonly { type: string; status: string; reason: string }[];
  };
}

/** Throws unless the table has the wanted routes and no others. */
export function verifyTable(table: TableFile, wanted: ReadonlyMap<string, string>): void {
  if (table.length !== wanted.size) {
    throw new Error(`the table has ${table.length} routes in place of ${wanted.size}`);
  }
  for (const [destination, key] of table) {
    if (wanted.get(destination) === key) continue;
    throw new Error(`the route to ${destination} leads to ${key}`);
  }
}
