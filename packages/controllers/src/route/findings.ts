/** What a dry run has found out about routes, and about the nodes that they lead to. */
import type { NetworkConditionWrite, RoutePlan } from '@tandem/core/routes';
import type { Finding, RoutesFinding } from '../dry-run/index.ts';

/** After a pass with a list. */
export function findingsOf(
  { nodes, operations }: Pick<RoutePlan, 'nodes' | 'operations'>,
  /** By the UID of their node. */
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

/** Before the first list, and after so many failed ones. */
export function findingWithoutList(failures: number, reason?: string): RoutesFinding {
  const none = { kind: 'routes', changes: [] } as const;
  if (failures < failuresMin) return { ...none, answer: 'pending' };
  return { ...none, answer: 'unknown', ...(reason === undefined ? {} : { reason }) };
}

/** Once may be an accident. */
const failuresMin = 2;

function actionsOf(write: NetworkConditionWrite | undefined): readonly string[] {
  return write === undefined ? [] : [conditionAction(write)];
}

/** What the write of a condition is called in logs and in the summary of a dry run. */
export function conditionAction({ condition }: NetworkConditionWrite): string {
  return condition.status === 'True' ? 'writeNetworkCondition' : 'clearNetworkCondition';
}
