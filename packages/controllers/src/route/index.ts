export { controllerName, type RouteEvent, type RouteEventReason, routeEvents } from './events.ts';
export {
  conditionWritesAllowed,
  conditionWritesTotal,
  routesPresent,
  routeSyncTotal,
  routesWanted,
  routeTableUsage,
  unroutedNodes,
} from './metrics.ts';
export { ListedRoutes, type ManagedRoutes, type RoutesSeen } from './managed-routes.ts';
export type { RouteControllerOptions, RouteControllerSettings } from './options.ts';
export { RoutedNodes } from './routed-nodes.ts';
export { RouteController } from './route-controller.ts';
