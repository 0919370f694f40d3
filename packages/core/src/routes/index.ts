export type { RouteFinding, RouteFindingCode } from './finding.ts';
export { type FirstConditionInput, planFirstNetworkCondition } from './first-condition.ts';
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
  type NetworkConditionInput,
  type NetworkConditionWrite,
  noRouteCreated,
  planNetworkCondition,
} from './network-condition.ts';
export {
  findBar,
  type InternalIPs,
  internalIPsOf,
  type RoutedInstance,
  type RoutedNode,
} from './node.ts';
export type { PlannedOperation, RouteEnd, RouteOperation } from './operation.ts';
export { planRoutes, type RouteCounts, type RoutePlan, type RoutePlanInput } from './plan.ts';
export type { DestinationState } from './destination-state.ts';
export { findReleasable, type ReleaseInput } from './releasable.ts';
export { type Quota, quotasOf } from './room.ts';
export { isInScope } from './table-plan.ts';
export type { TableFinding, TableFindingCode } from './table-finding.ts';
export type { NodeRoutes, RouteVerdict } from './verdict.ts';
