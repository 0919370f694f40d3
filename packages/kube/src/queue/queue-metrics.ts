/**
 * The metrics of work queues, with the names, labels and buckets of client-go, so that dashboards and
 * alerts for other managers also show this one.
 */
import type { Metrics } from '@tandem/runtime';

export const queueMetricTable = {
  queueDepth: {
    name: 'workqueue_depth',
    help: 'Current depth of workqueue',
    stability: 'BETA',
    labels: ['name'],
  },
  queueAddsTotal: {
    name: 'workqueue_adds_total',
    help: 'Total number of adds handled by workqueue',
    stability: 'BETA',
    labels: ['name'],
  },
  queueDurationSeconds: {
    name: 'workqueue_queue_duration_seconds',
    help: 'How long in seconds an item stays in workqueue before being requested.',
    stability: 'BETA',
    labels: ['name'],
    // From ten nanoseconds to ten seconds, as `k8s.io/component-base` has them.
    buckets: [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10],
  },
  workDurationSeconds: {
    name: 'workqueue_work_duration_seconds',
    help: 'How long in seconds processing an item from workqueue takes.',
    stability: 'BETA',
    labels: ['name'],
    buckets: [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10],
  },
  unfinishedWorkSeconds: {
    name: 'workqueue_unfinished_work_seconds',
    help: 'How many seconds of work has been done that is in progress and has not been observed by work_duration. Large values indicate stuck workers.',
    stability: 'BETA',
    labels: ['name'],
  },
  longestRunningSeconds: {
    name: 'workqueue_longest_running_processor_seconds',
    help: 'How many seconds has the longest running processor for workqueue been running.',
    stability: 'BETA',
    labels: ['name'],
  },
  queueRetriesTotal: {
    name: 'workqueue_retries_total',
    help: 'Total number of retries handled by workqueue',
    stability: 'BETA',
    labels: ['name'],
  },
} as const;

/** What one queue reports. */
export interface QueueMetrics {
  added(): void;
  depth(keys: number): void;
  started(waitedMs: number): void;
  finished(workedMs: number): void;
  retried(): void;
  /** The total duration of the running work, and the longest. */
  running(totalMs: number, longestMs: number): void;
}

/** All queues of a process share a registry, each under its name. */
export function queueMetrics(metrics: Metrics, name: string): QueueMetrics {
  const { queueDepth, queueAddsTotal, queueDurationSeconds, queueRetriesTotal } = queueMetricTable;
  const { workDurationSeconds, unfinishedWorkSeconds, longestRunningSeconds } = queueMetricTable;
  // Bound once, because looking up the label costs more than the rest of an add.
  const own = {
    depth: metrics.gauge(queueDepth).labels({ name }),
    adds: metrics.counter(queueAddsTotal).labels({ name }),
    waits: metrics.histogram(queueDurationSeconds).labels({ name }),
    works: metrics.histogram(workDurationSeconds).labels({ name }),
    unfinished: metrics.gauge(unfinishedWorkSeconds).labels({ name }),
    longest: metrics.gauge(longestRunningSeconds).labels({ name }),
    retries: metrics.counter(queueRetriesTotal).labels({ name }),
  };
  return {
    added: () => own.adds.inc(),
    depth: (keys) => own.depth.set(keys),
    started: (waitedMs) => own.waits.observe(waitedMs / 1_000),
    finished: (workedMs) => own.works.observe(workedMs / 1_000),
    retried: () => own.retries.inc(),
    running(totalMs, longestMs) {
      own.unfinished.set(totalMs / 1_000);
      own.longest.set(longestMs / 1_000);
    },
  };
}
