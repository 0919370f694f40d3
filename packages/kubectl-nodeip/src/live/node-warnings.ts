/** The Warning events of nodes. They outlive what they report by up to an hour, so they prove nothing by themselves. */
import type { Cluster } from './cluster.ts';
import { textAt } from './fields.ts';
import { CommandError } from './ports.ts';

export interface NodeWarning {
  /** Of the node. */
  readonly uid: string;
  readonly reason: string;
  readonly message: string;
  /** When the event was first and last seen, in RFC 3339. */
  readonly since: string;
  readonly last: string;
}

export type ReadWarnings =
  | { readonly kind: 'read'; readonly warnings: readonly NodeWarning[] }
  | { readonly kind: 'unread'; readonly problem: string };

export const noWarnings: ReadWarnings = { kind: 'read', warnings: [] };

/**
 * Of one node, or of all. Users may lack the right to read events. What the rest of the cluster tells is worth showing
 * all the same.
 */
export async function readWarnings(
  cluster: Pick<Cluster, 'list'>,
  node?: string,
): Promise<ReadWarnings> {
  const events = { group: '', version: 'v1', resource: 'events', namespace: 'default' };
  const ofNode = node === undefined ? '' : `,involvedObject.name=${node}`;
  const fieldSelector = `involvedObject.kind=Node,type=Warning${ofNode}`;
  try {
    const found = await cluster.list(events, { fieldSelector });
    return { kind: 'read', warnings: found.map(warningOf) };
  } catch (err) {
    if (!(err instanceof CommandError)) throw err;
    return { kind: 'unread', problem: err.message };
  }
}

/** Recorders of `events.k8s.io` set `eventTime` and a series, older ones both timestamps. */
function warningOf(event: unknown): NodeWarning {
  const eventTime = textAt(event, 'eventTime');
  const since = textAt(event, 'firstTimestamp') || eventTime;
  const last = textAt(event, 'series', 'lastObservedTime') || textAt(event, 'lastTimestamp');
  return {
    uid: textAt(event, 'involvedObject', 'uid'),
    reason: textAt(event, 'reason'),
    message: textAt(event, 'message'),
    since: since || textAt(event, 'metadata', 'creationTimestamp'),
    last: last || since,
  };
}
