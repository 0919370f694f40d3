export type { RouteFinding, RouteFindingCode } from './finding.ts';
export type { ListedRoute, ListedTable, ListedTarget } from './listing.ts';
export type { RouteScope } from './need.ts';
export {
  findBar,
  type InternalIPs,
  internalIPsOf,
  type RoutedInstance,
  type RoutedNode,
} from './node.ts';
export type { PlannedOperation, RouteEnd, RouteOperation } from './operation.ts';
export { planRoutes, type RouteCounts, type RoutePlan, type RoutePlanInput } from './plan.ts';
export type { TableFinding, TableFindingCode } from './table-finding.ts';
export type { NodeRoutes, RouteVerdict } from './verdict.ts';
