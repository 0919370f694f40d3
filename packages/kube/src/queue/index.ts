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
export { type Again, WorkQueue } from './work-queue.ts';
