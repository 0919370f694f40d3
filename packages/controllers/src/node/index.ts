export { controllerName, nodeEvents, refusalActions } from './events.ts';
export { nodeMetricTable } from './metrics.ts';
export { NodeController } from './node-controller.ts';
export { countStates } from './count-states.ts';
