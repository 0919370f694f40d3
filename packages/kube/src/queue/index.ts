export type { Priority } from './ready-queue.ts';
export { queueMetricTable } from './queue-metrics.ts';
export { type Again, WorkQueue } from './work-queue.ts';
