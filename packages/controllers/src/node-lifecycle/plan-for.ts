/** Plans a watched node on its cached or live projection. */
import {
  type LifecycleAnswer,
  type LifecycleNode,
  type LifecyclePlan,
  planLifecycle,
} from '@tandem/core/lifecycle';
import type { NodeProjection } from '@tandem/kube/node';
import type { NodeLifecycleControllerOptions } from './options.ts';
import type { WatchedNode } from './lifecycle-state.ts';

export interface LookedAt {
  readonly watched: WatchedNode;
  /** Null if the cloud was not asked. */
  readonly answer: LifecycleAnswer | null;
}

/** The plan for the node as seen here. */
export function planFor(
  { lookup, settings }: Pick<NodeLifecycleControllerOptions, 'lookup' | 'settings'>,
  { watched, answer }: LookedAt,
  seen: NodeProjection,
): LifecyclePlan {
  return planLifecycle({
    node: lifecycleNodeOf(seen),
    owns: () => lookup.owns(seen),
    wasFound: lookup.hasFound(seen),
    isNotOurs: lookup.isNotOurs(seen),
    evidence: watched.evidence,
    answer,
    settings,
  });
}

/** The projection of a node as the planner sees it. */
function lifecycleNodeOf(node: NodeProjection): LifecycleNode {
  return {
    name: node.name,
    uid: node.uid,
    providerID: node.providerID,
    readyStatus: node.ready?.status,
    isBeingDeleted: isBeingDeleted(node),
    taints: node.taints,
    annotations: node.annotations,
  };
}

export function isBeingDeleted({ deletionTimestampSeconds }: NodeProjection): boolean {
  return deletionTimestampSeconds !== undefined;
}
