/** The finding of a dry run about a watched node after a pass. */
import type { LifecycleAction } from '@tandem/core/lifecycle';
import type { NodeFinding } from '../dry-run/index.ts';
import type { LifecycleEventReason } from './events.ts';
import type { WatchedNode } from './lifecycle-state.ts';

export function findingOf(watched: WatchedNode, nowMs: number): NodeFinding {
  const { name: node, lastOutcome, told } = watched;
  switch (lastOutcome) {
    case undefined:
      // The node is too young: its absence would not count, so the controller does nothing now.
      return watched.dueMs > nowMs ? decided(node) : { kind: 'pending', node };
    case 'lookup':
    case 'doubtful':
      return { kind: 'pending', node };
    case 'unknown':
      return { kind: watched.repeats > 0 ? 'unknown' : 'pending', node };
    case 'gone':
      if (watched.isHeld) return held(node);
      return told === 'deleteNode' ? decided(node, told) : { kind: 'pending', node };
    case 'leftAlone':
    case 'notOurs':
      return decided(node);
    case 'ready':
    case 'present':
      return decided(node, told);
  }
}

function decided(node: string, action?: LifecycleAction['kind']): NodeFinding {
  return { kind: 'decided', node, actions: action === undefined ? [] : [action] };
}

function held(node: string): NodeFinding {
  const reason: LifecycleEventReason = 'DeletionHeld';
  return { kind: 'decided', node, actions: [], reason };
}
