/** How often a node that has a problem is looked up again. */
import { isInitialised, type NodeFacts, type NodeOutcome } from '@tandem/core/node-init';
import type { PollPace } from '../loop/index.ts';

/** A cloud that has not shown a machine by then will hardly do so in the next seconds. */
const youngSecondsMax = 300;

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
    case 'InstanceLookupFailed': {
      const ageSeconds = nowMs / 1_000 - node.creationTimestampSeconds;
      return !isInitialised(node) && ageSeconds < youngSecondsMax ? 'fast' : 'slow';
    }
    default:
      return 'slow';
  }
}
