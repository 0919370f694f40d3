/** Reads the Warning events of nodes. They last up to an hour longer than their cause, so they prove nothing alone. */
import type { Cluster } from './cluster.ts';
import { textAt } from './fields.ts';
import { CommandError } from './ports.ts';

export interface NodeWarning {
  /** The UID of the node. */
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
 * Reads the warnings of one node or of all nodes. Users may lack the right to read events, in which case commands still
 * show everything else.
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

/** Reads an event. Recorders of `events.k8s.io` set `eventTime` and a series; older ones set both timestamps. */
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
