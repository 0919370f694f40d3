export type { RouteFinding } from './finding.ts';
export { planFirstNetworkCondition } from './first-condition.ts';
export {
  noRouteHistory,
  type RouteAttempt,
  type RouteHistory,
  withAttempts,
  withVerdict,
} from './history.ts';
export type { ListedRoute, ListedTable, ListedTarget } from './listing.ts';
export type { RouteScope, WantedRoute } from './need.ts';
export {
  describeLeftMarked,
  isRouteCondition,
  type NetworkCondition,
  type NetworkConditionWrite,
  noRouteCreated,
  planNetworkCondition,
} from './network-condition.ts';
export { internalIPsOf, type RoutedInstance, type RoutedNode } from './node.ts';
export type { PlannedOperation } from './operation.ts';
export { planRoutes, type RouteCounts, type RoutePlan, type RoutePlanInput } from './plan.ts';
export type { DestinationState } from './destination-state.ts';
export { findReleasable } from './releasable.ts';
export { quotasOf } from './room.ts';
export { isInScope } from './table-plan.ts';
export type { TableFinding } from './table-finding.ts';
export type { NodeRoutes } from './verdict.ts';
