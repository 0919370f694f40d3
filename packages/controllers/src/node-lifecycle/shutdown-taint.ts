/**
 * Puts the shutdown taint on a node or takes it off (L4): one guarded patch, that of a plan made on the
 * cached node, and after a failed guard on the live one.
 */
import type { LifecycleAction } from '@tandem/core/lifecycle';
import { shutdownTaint } from '@tandem/core/lifecycle';
import type { KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/codec';
import {
  applyPatch,
  type GuardedOutcome,
  type GuardedPatch,
  nodePatch,
  retryGuarded,
} from '@tandem/kube/patch';
import { callLimitMs, readLiveNode } from '../live-node/index.ts';

export interface TaintOptions {
  readonly client: KubeClient;
  readonly node: NodeProjection;
  /** What is to be done to the node as it is seen now; nothing where it is as it shall be. */
  readonly plan: (seen: NodeProjection) => LifecycleAction | undefined;
  readonly signal: AbortSignal;
}

/** Rejects as `applyPatch` does. */
export function writeShutdownTaint(options: TaintOptions): Promise<GuardedOutcome> {
  const { client, node, plan, signal } = options;
  return retryGuarded<NodeProjection, GuardedPatch>({
    seen: node,
    read: () => readLiveNode(client, node.name, signal),
    plan: (seen) => patchFor(seen, plan(seen)),
    apply: (patch) => applyPatch(patch, { client, signal, limitMs: callLimitMs }),
  });
}

function patchFor(
  seen: NodeProjection,
  action: LifecycleAction | undefined,
): GuardedPatch | undefined {
  const node = { ...seen, labels: {} };
  switch (action?.kind) {
    case 'addShutdownTaint':
      return nodePatch({ node, taintsToAdd: [shutdownTaint] });
    case 'removeShutdownTaint':
      return nodePatch({ node, taintsToRemove: [shutdownTaint.key] });
    case 'deleteNode':
    case undefined:
      return undefined;
  }
}
