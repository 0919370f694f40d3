/** The informer's projection of a node as the decisions see it. */
import type { LifecycleNode } from '@tandem/core/lifecycle';
import { recordOf } from '@tandem/kube/codec';
import type { NodeProjection } from '@tandem/kube/node';

export function lifecycleNodeOf(node: NodeProjection): LifecycleNode {
  return {
    name: node.name,
    uid: node.uid,
    providerID: node.providerID,
    readyStatus: node.ready?.status,
    isBeingDeleted: isBeingDeleted(node),
    taints: node.taints,
    annotations: recordOf(node.annotations),
  };
}

export function isBeingDeleted({ deletionTimestampSeconds }: NodeProjection): boolean {
  return deletionTimestampSeconds !== undefined;
}
