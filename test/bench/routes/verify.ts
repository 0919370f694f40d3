/** Whether a run did what it was measured for. */
import { eventually } from '../../control-plane/index.ts';
import type { Cluster } from '../contest/cluster.ts';
import type { TableFile } from './batching-cloud.ts';

/**
 * Rejects unless every node says that its network is there. Gives the revision of the last write to a node.
 * Read page by page, after the measuring.
 */
export function verifyConditions(cluster: Cluster, count: number): Promise<number> {
  return eventually(
    async () => {
      const seen = await cluster.listNodes<SeenNode>();
      if (seen.length !== count) throw new Error(`there are ${seen.length} of ${count} nodes`);
      for (const { metadata, status } of seen) {
        const condition = status.conditions.find(({ type }) => type === 'NetworkUnavailable');
        const { status: value, reason } = condition ?? {};
        if (value === 'False' && reason === 'RouteCreated') continue;
        throw new Error(`${metadata.name} has ${JSON.stringify(condition)}`);
      }
      return Math.max(...seen.map(({ metadata }) => Number(metadata.resourceVersion)));
    },
    { withinMs: 30_000 },
  );
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
