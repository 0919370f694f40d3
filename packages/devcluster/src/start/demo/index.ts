export { runChurn } from './churn.ts';
export type { Pool, PoolRange } from './pools.ts';
export { DemoCluster } from './demo-cluster.ts';
export type { RouteCount } from './routes.ts';
