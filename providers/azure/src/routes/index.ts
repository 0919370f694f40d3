export { AzureRoutes } from './azure-routes.ts';
export { Forwarding } from './forwarding.ts';
export { Operations } from './operations.ts';
export { RouteApi } from './route-api.ts';
