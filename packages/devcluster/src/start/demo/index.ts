export { type ChurnOptions, runChurn } from './churn.ts';
export type { Pool, PoolRange } from './pools.ts';
export type { Churn } from './demo-manager.ts';
export { DemoCluster, type DemoClusterOptions } from './demo-cluster.ts';
export type { RouteCount } from './routes.ts';
