export { NodeLifecycleController } from './node-lifecycle-controller.ts';
export { controllerName, lifecycleEvents } from './events.ts';
export { lifecycleMetricTable } from './metrics.ts';
