export { NodeLifecycleController } from './controller.ts';
export { controllerName, lifecycleEvents } from './lifecycle-events.ts';
export { lifecycleMetricTable } from './lifecycle-metrics.ts';
