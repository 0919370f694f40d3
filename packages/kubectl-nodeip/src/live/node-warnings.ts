/** The Warning events of nodes. They outlive what they report by up to an hour, so they prove nothing by themselves. */
import type { Cluster } from './cluster.ts';
import { textAt } from './fields.ts';
import { CommandError } from './ports.ts';

export interface NodeWarning {
  /** Of the node. */
  readonly uid: string;
  readonly reason: string;
}

export type ReadWarnings =
  | { readonly kind: 'read'; readonly warnings: readonly NodeWarning[] }
  | { readonly kind: 'unread'; readonly problem: string };

export const noWarnings: ReadWarnings = { kind: 'read', warnings: [] };

/** Users may lack the right to read events. What the rest of the cluster tells is worth showing all the same. */
export async function readWarnings(cluster: Pick<Cluster, 'list'>): Promise<ReadWarnings> {
  const events = { group: '', version: 'v1', resource: 'events', namespace: 'default' };
  const fieldSelector = 'involvedObject.kind=Node,type=Warning';
  try {
    const found = await cluster.list(events, { fieldSelector });
    const warnings = found.map((event) => ({
      uid: textAt(event, 'involvedObject', 'uid'),
      reason: textAt(event, 'reason'),
    }));
    return { kind: 'read', warnings };
  } catch (err) {
    if (!(err instanceof CommandError)) throw err;
    return { kind: 'unread', problem: err.message };
  }
}
