/** The metrics of calls to route tables, declared as data. */
import type { CcmError, HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';
import type { RouteOperation } from '../plug/index.ts';

export const routeCallsTotal: MetricDeclaration<'provider' | 'operation' | 'outcome'> = {
  name: 'tandem_cloud_route_calls_total',
  help:
    'Calls to the route tables of the provider, by operation (list, or apply for a batch of changes) ' +
    'and outcome: answered, failed, throttled, timed_out, malformed or aborted.',
  stability: 'ALPHA',
  labels: ['provider', 'operation', 'outcome'],
};

export const routeCallDurationSeconds: HistogramDeclaration<'provider' | 'operation'> = {
  name: 'tandem_cloud_route_call_duration_seconds',
  help: 'Duration of calls to the route tables of the provider, including failed calls.',
  stability: 'ALPHA',
  labels: ['provider', 'operation'],
  buckets: [0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120],
};

export const routeOperationsTotal: MetricDeclaration<'provider' | 'operation' | 'result'> = {
  name: 'tandem_cloud_route_operations_total',
  help:
    'Changes to single routes, by operation (create, replace or delete) and result: applied, refused ' +
    'by the cloud, unknown, or not_sent to the cloud.',
  stability: 'ALPHA',
  labels: ['provider', 'operation', 'result'],
};

export type RouteCallOutcome =
  | 'answered'
  | 'failed'
  | 'throttled'
  | 'timed_out'
  | 'malformed'
  | 'aborted';

export interface RouteMetrics {
  called(operation: 'list' | 'apply', outcome: RouteCallOutcome, durationMs: number): void;
  operated(
    operation: RouteOperation['kind'],
    result: 'applied' | 'refused' | 'unknown' | 'notSent',
  ): void;
}

/** Declared once per process. A label names the provider. */
export function routeMetrics(metrics: Metrics, provider: string): RouteMetrics {
  const calls = metrics.counter(routeCallsTotal);
  const durations = metrics.histogram(routeCallDurationSeconds);
  const operations = metrics.counter(routeOperationsTotal);
  return {
    called(operation, outcome, durationMs) {
      calls.inc({ provider, operation, outcome });
      durations.observe({ provider, operation }, durationMs / 1_000);
    },
    operated: (operation, result) =>
      operations.inc({
        provider,
        operation,
        result: result === 'notSent' ? 'not_sent' : result,
      }),
  };
}

/** The outcome of a call that failed as a whole. */
export function outcomeOf({ code, retry }: CcmError): RouteCallOutcome {
  if (typeof retry === 'object') return 'throttled';
  switch (code) {
    case 'RouteCallTimedOut':
      return 'timed_out';
    case 'RouteCallAborted':
      return 'aborted';
    case 'RouteListingMalformed':
    case 'RouteListingTooOld':
    case 'RouteOutcomeMalformed':
      return 'malformed';
    default:
      return 'failed';
  }
}
