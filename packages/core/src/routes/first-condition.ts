/**
 * The condition NetworkUnavailable of a node that is being initialised, written before its taint goes: no pod
 * may be scheduled before the routes of the node are there. Upstream writes it only after a failure, so that
 * pods are scheduled to new nodes without a network.
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
  /** Undefined where the node has none. One that it has is left to the route controller. */
  readonly condition: NetworkCondition | undefined;
  /** Whether this manager gives nodes their podCIDRs. */
  readonly allocates: boolean;
}

/** Undefined where nothing is to be written. */
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

/** Also where it cannot be created yet: the addresses of the node may come later. */
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
