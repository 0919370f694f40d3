/** Checks routes: none of ours leads to no node, and a node whose condition says that it has routes has them. */
import { OverlapIndex, readPodCIDR } from '@tandem/core/allocation';
import type { Cidr } from '@tandem/core/ip';
import { isInitialised, isPausing, pausedAnnotation } from '@tandem/core/node-init';
import type { RouteView } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import { type Breach, breach } from './breach.ts';

export function checkRoutes(
  nodes: readonly NodeProjection[],
  routes: readonly RouteView[],
): readonly Breach[] {
  const byNode = Map.groupBy(routes, ({ node }) => node);
  return [...toNobody(nodes, routes), ...nodes.flatMap((node) => withoutRoute(node, byNode))];
}

/** The manager leaves routes to podCIDRs of nodes that are paused, being deleted or not selected (T2). */
function toNobody(
  nodes: readonly NodeProjection[],
  routes: readonly RouteView[],
): readonly Breach[] {
  const unwanted = routes.filter(({ state, ours }) => state === 'unwanted' && ours);
  if (unwanted.length === 0) return [];
  const owned = new OverlapIndex();
  for (const { uid, podCIDRs } of nodes) owned.set(uid, podCIDRs.flatMap(networkOf));
  return unwanted.flatMap(({ table, destination, planned }) => {
    const isOwned = networkOf(destination).some((cidr) => owned.others('', cidr).length > 0);
    if (isOwned && planned !== 'delete') return [];
    const message = `The route to ${destination} in table ${table} is this cluster's, and no node needs it.`;
    return [breach('RouteToNobody', destination, message)];
  });
}

function networkOf(text: string): readonly Cidr[] {
  const { cidr } = readPodCIDR(text);
  return cidr === undefined ? [] : [cidr];
}

/**
 * Checks only the condition of a route controller, because network plugins have their own. A route whose target the
 * cloud does not name proves nothing (P3).
 */
function withoutRoute(
  { name, networkUnavailable, annotations, ...node }: NodeProjection,
  byNode: ReadonlyMap<string | null, readonly RouteView[]>,
): readonly Breach[] {
  const isTold =
    networkUnavailable?.status === 'False' && networkUnavailable.reason === 'RouteCreated';
  if (!isTold || !isInitialised(node) || isPausing(annotations[pausedAnnotation])) return [];
  const lacking = (byNode.get(name) ?? []).filter(
    ({ state }) => state !== 'present' && state !== 'unknown',
  );
  if (lacking.length === 0) return [];
  const texts = lacking.map(
    ({ destination, table, state }) => `${destination} in table ${table} (${state})`,
  );
  const message = `NetworkUnavailable is False, but routes are not as the node needs them: ${texts.join(', ')}.`;
  return [breach('NetworkWithoutRoute', name, message)];
}
