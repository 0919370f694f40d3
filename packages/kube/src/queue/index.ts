export { backoffDefault } from './retry-delay.ts';
export type { Priority } from './ready-line.ts';
export {
  longestRunningSeconds,
  queueAddsTotal,
  queueDepth,
  queueDurationSeconds,
  queueRetriesTotal,
  unfinishedWorkSeconds,
  workDurationSeconds,
} from './queue-metrics.ts';
export {
  type AddOptions,
  type Again,
  type Handler,
  type Work,
  WorkQueue,
  type WorkQueueOptions,
} from './work-queue.ts';
