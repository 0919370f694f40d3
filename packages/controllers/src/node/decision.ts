/** A plan together with the very state of the node that it was made for. */
import type { NodeFacts, NodePlan } from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/codec';

export interface Decision {
  readonly node: NodeProjection;
  /** The same node in the words of the planner. */
  readonly facts: NodeFacts;
  readonly plan: NodePlan;
}
