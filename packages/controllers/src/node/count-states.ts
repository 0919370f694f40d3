/** Counts the nodes in each state, for `/statusz`. Every node counts once. */
import { isInitialised, isPausing, pausedAnnotation } from '@tandem/core/node-init';
import type { NodeStateName } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';

/** The reason of a report about a node that the cloud says is not its own. */
export const notOursReason = 'not_ours';

export interface NodeReport {
  readonly reason: string;
  readonly isRefusal: boolean;
}

/** `report` returns the reported problem of a node. A standby has none. */
export function countStates(
  nodes: Iterable<NodeProjection>,
  report: (uid: string) => NodeReport | undefined = () => undefined,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const said = report(node.uid);
    const state = stateOf(node, said);
    const label = state === 'refused' ? `refused: ${said?.reason ?? ''}` : state;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function stateOf(
  node: Pick<NodeProjection, 'annotations' | 'taints'>,
  report: NodeReport | undefined,
): NodeStateName {
  if (isPausing(node.annotations[pausedAnnotation])) return 'paused';
  const { reason } = report ?? {};
  if (reason === 'ForeignProviderID' || reason === notOursReason) return 'not ours';
  if (report?.isRefusal) return 'refused';
  return isInitialised(node) ? 'initialised' : 'waiting';
}
