/**
 * The metrics of work queues, with the names, labels and buckets of client-go, so that dashboards and
 * alerts for other managers also show this one.
 */
import type { HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';

/** From ten nanoseconds to ten seconds in steps of ten, as `k8s.io/component-base` has them. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10];

const common = { stability: 'BETA', labels: ['name'] } as const;

export const queueDepth: MetricDeclaration<'name'> = {
  name: 'workqueue_depth',
  help: 'Current depth of workqueue',
  ...common,
};

export const queueAddsTotal: MetricDeclaration<'name'> = {
  name: 'workqueue_adds_total',
  help: 'Total number of adds handled by workqueue',
  ...common,
};

export const queueDurationSeconds: HistogramDeclaration<'name'> = {
  name: 'workqueue_queue_duration_seconds',
  help: 'How long in seconds an item stays in workqueue before being requested.',
  ...common,
  buckets,
};

export const workDurationSeconds: HistogramDeclaration<'name'> = {
  name: 'workqueue_work_duration_seconds',
  help: 'How long in seconds processing an item from workqueue takes.',
  ...common,
  buckets,
};

export const unfinishedWorkSeconds: MetricDeclaration<'name'> = {
  name: 'workqueue_unfinished_work_seconds',
  help:
    'How many seconds of work has been done that is in progress and has not been observed by ' +
    'work_duration. Large values indicate stuck workers.',
  ...common,
};

export const longestRunningSeconds: MetricDeclaration<'name'> = {
  name: 'workqueue_longest_running_processor_seconds',
  help: 'How many seconds has the longest running processor for workqueue been running.',
  ...common,
};

export const queueRetriesTotal: MetricDeclaration<'name'> = {
  name: 'workqueue_retries_total',
  help: 'Total number of retries handled by workqueue',
  ...common,
};

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
  const depth = metrics.gauge(queueDepth);
  const adds = metrics.counter(queueAddsTotal);
  const waits = metrics.histogram(queueDurationSeconds);
  const works = metrics.histogram(workDurationSeconds);
  const unfinished = metrics.gauge(unfinishedWorkSeconds);
  const longest = metrics.gauge(longestRunningSeconds);
  const retries = metrics.counter(queueRetriesTotal);
  // Bound once, because looking up the label costs more than the rest of an add.
  const own = {
    depth: depth.labels({ name }),
    adds: adds.labels({ name }),
    waits: waits.labels({ name }),
    works: works.labels({ name }),
    unfinished: unfinished.labels({ name }),
    longest: longest.labels({ name }),
    retries: retries.labels({ name }),
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
