export { RouteError, routeErrorCodes, type RouteFailureCode } from './failure.ts';
export { routeLimitsDefault } from './limits.ts';
export type { ListedRoute, ListedTable, ListedTarget, Listing } from './listing.ts';
export {
  routeCallDurationSeconds,
  routeCallsTotal,
  routeOperationsTotal,
} from './route-metrics.ts';
export { type OperationResult, RouteTables, type RouteTablesOptions } from './route-tables.ts';
