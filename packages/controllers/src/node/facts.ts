/** A node of the informer in the words of the planner. */
import type { NodeFacts } from '@tandem/core/node-init';
import { type NodeProjection, recordOf } from '@tandem/kube/codec';

export function factsOf(node: NodeProjection): NodeFacts {
  return {
    name: node.name,
    uid: node.uid,
    creationTimestampSeconds: node.creationTimestampSeconds,
    labels: recordOf(node.labels),
    annotations: recordOf(node.annotations),
    taints: node.taints,
    providerID: node.providerID,
    addresses: node.addresses,
  };
}
