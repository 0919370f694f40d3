export { controllerName, nodeEvents, refusalActions } from './events.ts';
export {
  addressChangesTotal,
  dryRunWritesTotal,
  initialSyncDelaySeconds,
  oldestUninitializedSeconds,
  refusalsTotal,
  refusedNodes,
  taintRemovalDelaySeconds,
  uninitializedNodes,
  writesAllowed,
  writesTotal,
} from './metrics.ts';
export { NodeController } from './node-controller.ts';
export { countStates } from './count-states.ts';
