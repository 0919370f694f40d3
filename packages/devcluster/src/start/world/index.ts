export { type ChurnOptions, runChurn } from './churn.ts';
export { Scene, type SceneOptions } from './scene.ts';
