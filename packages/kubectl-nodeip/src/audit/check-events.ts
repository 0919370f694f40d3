/** Checks P6: every refusal has a Warning event on its node, and no node waits for long without one. */
import { isInitialised, isPausing, pausedAnnotation } from '@tandem/core/node-init';
import type { NodeView } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import type { NodeWarning } from '../live/node-warnings.ts';
import { refusalCodes } from '../status/judge-objects.ts';
import { type Breach, breach } from './breach.ts';

export interface EventFacts {
  readonly warnings: readonly Pick<NodeWarning, 'uid' | 'reason'>[];
  /** Undefined without the manager's view. */
  readonly views: ReadonlyMap<string, NodeView> | undefined;
  readonly nowMs: number;
}

/** How long a node may wait without an event. */
const patienceMs = 5 * 60_000;
/** How long the event of a refusal may take, because events are sent in the background. */
const eventMs = 60_000;

/** Returns whether any node needs its events to be read. Clusters have many events. */
export function needsEvents(
  nodes: readonly NodeProjection[],
  facts: Omit<EventFacts, 'warnings'>,
): boolean {
  return nodes.some((node) => refusalOf(node, facts) !== undefined || waitsLong(node, facts.nowMs));
}

export function checkEvents(
  nodes: readonly NodeProjection[],
  facts: EventFacts,
): readonly Breach[] {
  const reasons = Map.groupBy(facts.warnings, ({ uid }) => uid);
  return nodes.flatMap((node) => {
    const told = (reasons.get(node.uid) ?? []).map(({ reason }) => reason);
    const refusal = refusalOf(node, facts);
    if (refusal !== undefined) {
      if (told.includes(refusal)) return [];
      const message = `The manager refuses the node with ${refusal}, and no event of the node says so.`;
      return [breach('RefusalNotSeen', node.name, message)];
    }
    const view = facts.views?.get(node.uid);
    // Other events, such as CIDRNotAvailable, do not explain the taint.
    const isTold = told.some((reason) => refusalCodes.has(reason));
    if (!waitsLong(node, facts.nowMs) || isTold || view?.state === 'not ours') return [];
    const message =
      'The node has had the uninitialized taint for more than five minutes, and no Warning event says why.';
    return [breach('WaitingWithoutReason', node.name, message)];
  });
}

/** Returns the refusal of a node, if it is old enough to have an event. A dry run sends no events. */
function refusalOf(
  { uid }: NodeProjection,
  { views, nowMs }: Omit<EventFacts, 'warnings'>,
): string | undefined {
  const standing = views?.get(uid)?.standing;
  if (standing?.isRefusal !== true) return undefined;
  return nowMs - Date.parse(standing.since) > eventMs ? standing.reason : undefined;
}

function waitsLong(node: NodeProjection, nowMs: number): boolean {
  const isPaused = isPausing(node.annotations[pausedAnnotation]);
  const ageMs = nowMs - node.creationTimestampSeconds * 1_000;
  return !isInitialised(node) && !isPaused && ageMs > patienceMs;
}
