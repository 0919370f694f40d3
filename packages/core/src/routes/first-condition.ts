/**
 * The condition NetworkUnavailable of a node that is being initialised, written before its taint is
 * removed, so that no pod is scheduled before the routes of the node exist. Upstream writes it only
 * after a failure, so pods are scheduled to new nodes without a network.
 */
import type { RouteFindingCode } from './finding.ts';
import { needOf, podNetworksOf, type RouteNeed, type RouteScope } from './need.ts';
import {
  type NetworkCondition,
  type NetworkConditionWrite,
  noRouteCreated,
} from './network-condition.ts';
import type { RoutedNode } from './node.ts';

export interface FirstConditionInput extends RouteScope {
  readonly node: RoutedNode;
  /** Undefined if the node has none. An existing condition is left to the route controller. */
  readonly condition: NetworkCondition | undefined;
  /** Whether this manager gives nodes their podCIDRs. */
  readonly allocates: boolean;
}

/** Returns the condition to write, if any. */
export function planFirstNetworkCondition(
  input: FirstConditionInput,
): NetworkConditionWrite | undefined {
  const { node, condition, allocates } = input;
  const isDecidedAbout = node.isOurs && node.isSelected && !node.isPaused;
  if (condition !== undefined || !isDecidedAbout) return undefined;
  if (node.podCIDRs.length === 0) {
    const why = 'the node will get podCIDRs, which may need routes';
    return allocates ? { condition: noRouteCreated, why } : undefined;
  }
  const isNeeded = podNetworksOf(node.podCIDRs).networks.some((network) =>
    needsRoute(needOf(node, network, { ...input, sharers: [] })),
  );
  const why = 'the node has podCIDRs that need routes';
  return isNeeded ? { condition: noRouteCreated, why } : undefined;
}

/** Also true if the route cannot be created yet, because the node may get its addresses later. */
function needsRoute(need: RouteNeed): boolean {
  if (need.kind !== 'refused') return need.kind === 'wanted';
  const { code } = need.obstacle;
  return laterCodes.has(code);
}

const laterCodes: ReadonlySet<RouteFindingCode> = new Set([
  'InstanceLookupFailed',
  'InstanceUnknown',
  'NoInternalIPOfFamily',
]);
