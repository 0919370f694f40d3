export { NodeLifecycleController } from './controller.ts';
export {
  controllerName,
  type LifecycleEvent,
  type LifecycleEventReason,
  lifecycleEvents,
} from './lifecycle-events.ts';
export {
  brakeEngaged,
  cloudProviderCallsTotal,
  deletionCandidates,
  deletionsHeld,
  deletionsTotal,
  monitorNodesDurationSeconds,
  shutdownTaintsTotal,
} from './lifecycle-metrics.ts';
export type { NodeLifecycleControllerOptions } from './options.ts';
