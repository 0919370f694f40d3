export type { Priority } from './ready-queue.ts';
export {
  longestRunningSeconds,
  queueAddsTotal,
  queueDepth,
  queueDurationSeconds,
  queueRetriesTotal,
  unfinishedWorkSeconds,
  workDurationSeconds,
} from './queue-metrics.ts';
export { type Again, WorkQueue } from './work-queue.ts';
