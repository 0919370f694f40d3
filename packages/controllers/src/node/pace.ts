/** How often a node that has a problem is looked up again. */
import { isInitialised, type NodeFacts, type NodeOutcome } from '@tandem/core/node-init';
import { isYoung, type PollPace } from '../loop/index.ts';

export function paceOf(
  outcome: NodeOutcome,
  {
    node,
    nowMs,
  }: {
    readonly node: Pick<NodeFacts, 'taints' | 'creationTimestampSeconds'>;
    readonly nowMs: number;
  },
): PollPace | undefined {
  if (outcome.kind === 'notOurs') return 'slow';
  if (outcome.kind !== 'refused') return undefined;
  switch (outcome.refusal.code) {
    case 'InstanceNotFound':
    case 'InstanceLookupFailed':
      return !isInitialised(node) && isYoung(node, nowMs) ? 'fast' : 'slow';
    default:
      return 'slow';
  }
}
