/** Summarises what a dry run has found about one node so far. */
import type { NodeForecast } from '../dry-run/index.ts';
import type { IpamNode, IpamState } from './ipam-state.ts';

export function forecastOf({ name: node, state }: IpamNode): NodeForecast {
  const plan = state.dryRunPlan;
  if (plan === undefined) return { kind: 'pending', node };
  const { outcome, findings } = plan;
  if (outcome.kind === 'lookup') return lookedUp(node, state);
  const actions = outcome.kind === 'assign' ? ['assignPodCIDRs'] : [];
  const code = outcome.kind === 'notAvailable' ? 'CIDRNotAvailable' : findings[0]?.code;
  return { kind: 'decided', node, actions, ...(code === undefined ? {} : { reason: code }) };
}

/**
 * Returns `pending` while the cloud has not answered. Returns `unknown` if the question failed or found no instance,
 * because the controller does not ask again soon.
 */
function lookedUp(node: string, { cloud }: IpamState): NodeForecast {
  return { kind: cloud?.answer === undefined ? 'pending' : 'unknown', node };
}
