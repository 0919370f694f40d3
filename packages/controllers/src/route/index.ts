export { controllerName, routeEvents } from './events.ts';
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
export { RoutedNodes } from './routed-nodes.ts';
export { RouteController } from './route-controller.ts';
