/** What a dry run forecasts for a watched node after a pass. */
import type { LifecycleAction } from '@tandem/core/lifecycle';
import type { NodeForecast } from '../dry-run/index.ts';
import type { LifecycleEventReason } from './events.ts';
import type { WatchedNode } from './lifecycle-state.ts';

export function forecastOf(watched: WatchedNode, nowMs: number): NodeForecast {
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

function decided(node: string, action?: LifecycleAction['kind']): NodeForecast {
  return { kind: 'decided', node, actions: action === undefined ? [] : [action] };
}

function held(node: string): NodeForecast {
  const reason: LifecycleEventReason = 'DeletionHeld';
  return { kind: 'decided', node, actions: [], reason };
}
