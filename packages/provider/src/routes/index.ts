export { routeErrorCodes } from './failure.ts';
export type { Listing } from './listing.ts';
export {
  routeCallDurationSeconds,
  routeCallsTotal,
  routeOperationsTotal,
} from './route-metrics.ts';
export { type OperationResult, RouteTables } from './route-tables.ts';
