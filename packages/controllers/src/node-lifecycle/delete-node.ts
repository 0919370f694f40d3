/**
 * The one delete that there is. It looks at the node itself first, decides once more on what it sees,
 * and then deletes exactly what it saw: UID and resourceVersion go along, so that neither a namesake
 * nor a node that has just come back is hit (L1, L2). Whatever goes wrong leaves the node for the next
 * pass, which needs a new answer of the cloud.
 */
import { hasStatus, type KubeClient } from '@tandem/kube/client';
import { type NodeProjection, nodeResource } from '@tandem/kube/node';
import { CcmError } from '@tandem/runtime';
import { callLimitMs, readLiveNode } from '../loop/index.ts';

export type DeleteOutcome =
  | { readonly kind: 'deleted' }
  /** There was no such node any more. */
  | { readonly kind: 'gone' }
  /** The live node is not to be deleted; it is another one, Ready, paused … */
  | { readonly kind: 'spared'; readonly reason: string }
  /** It changed between the look and the delete. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly err: Error }
  /** Perhaps deleted: the next look will tell. */
  | { readonly kind: 'unknown'; readonly err: Error };

export interface DeleteOptions {
  readonly client: KubeClient;
  readonly name: string;
  /** Why the live node must stay, or nothing where it is to go. */
  readonly objection: (live: NodeProjection) => string | undefined;
  /** Called when nothing stands between the node and its deletion but the call. */
  readonly onConfirmed: (live: NodeProjection) => void;
  readonly signal: AbortSignal;
}

/** Rejects only with the signal's reason. */
export async function deleteNode(options: DeleteOptions): Promise<DeleteOutcome> {
  const { client, name, signal } = options;
  try {
    const live = await readLiveNode(client, name, signal);
    if (live === undefined) return { kind: 'gone' };
    const reason = options.objection(live);
    if (reason !== undefined) return { kind: 'spared', reason };
    options.onConfirmed(live);
    const { uid, resourceVersion } = live;
    await client.call({
      verb: 'delete',
      resource: nodeResource(name),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } },
      limitMs: callLimitMs,
      signal,
    });
    return { kind: 'deleted' };
  } catch (err) {
    if (signal.aborted) throw err;
    return outcomeOf(err);
  }
}

function outcomeOf(err: unknown): DeleteOutcome {
  if (hasStatus(err, 404)) return { kind: 'gone' };
  if (hasStatus(err, 409)) return { kind: 'changed' };
  if (err instanceof CcmError && err.effect === 'unknown') return { kind: 'unknown', err };
  return { kind: 'failed', err: err instanceof Error ? err : new Error(String(err)) };
}
