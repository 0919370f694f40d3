export { NodeLifecycleController } from './controller.ts';
export { controllerName, lifecycleEvents } from './lifecycle-events.ts';
export {
  brakeEngaged,
  cloudProviderCallsTotal,
  deletionCandidates,
  deletionsHeld,
  deletionsTotal,
  monitorNodesDurationSeconds,
  shutdownTaintsTotal,
} from './lifecycle-metrics.ts';
