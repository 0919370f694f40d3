/** What a dry run forecasts for one node so far. */
import type { NodeRefusal } from '@tandem/core/node-init';
import type { NodeForecast } from '../dry-run/index.ts';
import type { NodeEventReason } from './events.ts';
import type { CloudNodeRecord } from './node-state.ts';

const pausedReason: NodeEventReason = 'Paused';
const lookupFailed: NodeRefusal['code'] = 'InstanceLookupFailed';

/** A failed look-up stays pending until it is reported, because the first failure is retried. */
export function forecastOf({ name: node, state, report }: CloudNodeRecord): NodeForecast {
  const plan = state.decision;
  if (plan === undefined) return { kind: 'pending', node };
  const actions = plan.actions.map(({ kind }) => kind);
  const { outcome } = plan;
  switch (outcome.kind) {
    case 'lookup':
      return { kind: 'pending', node };
    case 'settled':
      return { kind: 'decided', node, actions };
    case 'notOurs':
      return { kind: 'decided', node, actions };
    case 'paused':
      return { kind: 'decided', node, actions, reason: pausedReason };
    case 'refused': {
      const { code } = outcome.refusal;
      if (code !== lookupFailed) return { kind: 'decided', node, actions, reason: code };
      return { kind: report === undefined ? 'pending' : 'unknown', node };
    }
  }
}
