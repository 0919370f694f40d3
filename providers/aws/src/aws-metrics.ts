/** Declares the metrics of EC2 calls as data, with upstream's names and labels, so that existing dashboards work. */
import type { HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';

export const apiRequestDurationSeconds: HistogramDeclaration<'request'> = {
  name: 'cloudprovider_aws_api_request_duration_seconds',
  help: 'Latency of AWS API calls that succeeded.',
  stability: 'ALPHA',
  labels: ['request'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
};

export const apiRequestErrors: MetricDeclaration<'request'> = {
  name: 'cloudprovider_aws_api_request_errors',
  help: 'AWS API calls that failed, throttled ones included.',
  stability: 'ALPHA',
  labels: ['request'],
};

export const apiThrottledRequestsTotal: MetricDeclaration<'operation_name'> = {
  name: 'cloudprovider_aws_api_throttled_requests_total',
  help: 'AWS API calls that AWS throttled.',
  stability: 'ALPHA',
  labels: ['operation_name'],
};

export interface AWSMetrics {
  succeeded(action: string, durationMs: number): void;
  failed(action: string): void;
  throttled(action: string): void;
}

export function awsMetrics(metrics: Metrics): AWSMetrics {
  const durations = metrics.histogram(apiRequestDurationSeconds);
  const errors = metrics.counter(apiRequestErrors);
  const throttles = metrics.counter(apiThrottledRequestsTotal);
  return {
    succeeded: (action, durationMs) =>
      durations.observe({ request: requestOf(action) }, durationMs / 1_000),
    failed: (action) => errors.inc({ request: requestOf(action) }),
    throttled: (action) => throttles.inc({ operation_name: action }),
  };
}

/** Upstream writes `describe_route_tables`, but `describe_instance`. */
function requestOf(action: string): string {
  if (action === 'DescribeInstances') return 'describe_instance';
  return action.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
