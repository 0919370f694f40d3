export { type ChurnOptions, runChurn } from './churn.ts';
export type { Pool, PoolRange } from './pools.ts';
export type { Churn } from './scene-manager.ts';
export { Scene, type SceneOptions } from './scene.ts';
export type { RouteCount } from './routes.ts';
