export { controllerName, routeEvents } from './events.ts';
export { routeMetricTable } from './metrics.ts';
export { ListedRoutes, type ManagedRoutes, type RoutesSeen } from './managed-routes.ts';
export { RoutedNodes } from './routed-nodes.ts';
export { RouteController } from './route-controller.ts';
