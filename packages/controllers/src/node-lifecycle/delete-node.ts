/**
 * The only deletion. It reads the live node, decides again on it, and then deletes exactly that: UID and
 * resourceVersion are preconditions, so that neither a namesake nor a node that has just recovered is
 * deleted (L1, L2). After any failure the node stays for the next pass, which needs a new answer of the
 * cloud.
 */
import { hasStatus, type KubeClient } from '@tandem/kube/client';
import { type NodeProjection, nodeResource } from '@tandem/kube/node';
import { CcmError } from '@tandem/runtime';
import { callLimitMs, readLiveNode } from '../loop/index.ts';

export type DeleteOutcome =
  | { readonly kind: 'deleted' }
  /** The node did not exist. */
  | { readonly kind: 'gone' }
  /** The live node must stay: it is another one, Ready, paused … */
  | { readonly kind: 'spared'; readonly reason: string }
  /** It changed between the read and the deletion. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly err: Error }
  /** Perhaps deleted. The next read shows it. */
  | { readonly kind: 'unknown'; readonly err: Error };

export interface DeleteOptions {
  readonly client: KubeClient;
  readonly name: string;
  /** Why the live node must stay; undefined if it is to be deleted. */
  readonly objection: (live: NodeProjection) => string | undefined;
  /** Called right before the deletion. */
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
