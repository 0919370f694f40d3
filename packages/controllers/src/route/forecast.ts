/** Summarises what a dry run has found about routes and about the nodes that they lead to. */
import type { NetworkConditionWrite, RoutePlan } from '@tandem/core/routes';
import type { Forecast, RoutesForecast } from '../dry-run/index.ts';

/** Returns the forecasts of a pass whose list succeeded. */
export function forecastsOf(
  { nodes, operations }: Pick<RoutePlan, 'nodes' | 'operations'>,
  /** The conditions that the pass would write, by the UID of the node. */
  conditions: ReadonlyMap<string, NetworkConditionWrite>,
): readonly Forecast[] {
  const ofNodes = Array.from(nodes.values(), ({ name: node, uid, findings }): Forecast => {
    const [finding] = findings;
    const actions = actionsOf(conditions.get(uid));
    return { kind: 'decided', node, actions, ...(finding && { reason: finding.code }) };
  });
  const changes = operations.map(({ operation: { kind, table }, destination }) => ({
    kind,
    table,
    destination,
  }));
  return [...ofNodes, { kind: 'routes', answer: 'listed', changes }];
}

/** Returns the forecast while no list has succeeded, after this number of failed lists. */
export function forecastWithoutList(failures: number, reason?: string): RoutesForecast {
  const none = { kind: 'routes', changes: [] } as const;
  if (failures < failuresMin) return { ...none, answer: 'pending' };
  return { ...none, answer: 'unknown', ...(reason === undefined ? {} : { reason }) };
}

/** One failed list may be a passing fault, so the forecast stays `pending` until a second list fails. */
const failuresMin = 2;

function actionsOf(write: NetworkConditionWrite | undefined): readonly string[] {
  return write === undefined ? [] : [conditionAction(write)];
}

/** Returns the name of a condition write in logs and in the summary of a dry run. */
export function conditionAction({ condition }: NetworkConditionWrite): string {
  return condition.status === 'True' ? 'writeNetworkCondition' : 'clearNetworkCondition';
}
