/** Summarises what a dry run has found about routes and about the nodes that they lead to. */
import type { NetworkConditionWrite, RoutePlan } from '@tandem/core/routes';
import type { Finding, RoutesFinding } from '../dry-run/index.ts';

/** Returns the findings of a pass whose list succeeded. */
export function findingsOf(
  { nodes, operations }: Pick<RoutePlan, 'nodes' | 'operations'>,
  /** The conditions that the pass would write, by the UID of the node. */
  conditions: ReadonlyMap<string, NetworkConditionWrite>,
): readonly Finding[] {
  const ofNodes = Array.from(nodes.values(), ({ name: node, uid, findings }): Finding => {
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

/** Returns the finding while no list has succeeded, after this number of failed lists. */
export function findingWithoutList(failures: number, reason?: string): RoutesFinding {
  const none = { kind: 'routes', changes: [] } as const;
  if (failures < failuresMin) return { ...none, answer: 'pending' };
  return { ...none, answer: 'unknown', ...(reason === undefined ? {} : { reason }) };
}

/** One failed list may be a passing fault, so the finding stays `pending` until a second list fails. */
const failuresMin = 2;

function actionsOf(write: NetworkConditionWrite | undefined): readonly string[] {
  return write === undefined ? [] : [conditionAction(write)];
}

/** Returns the name of a condition write in logs and in the summary of a dry run. */
export function conditionAction({ condition }: NetworkConditionWrite): string {
  return condition.status === 'True' ? 'writeNetworkCondition' : 'clearNetworkCondition';
}
