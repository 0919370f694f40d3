export { AWSRoutes } from './aws-routes.ts';
export { RouteApi } from './route-api.ts';
export { familyOf } from './table-limits.ts';
