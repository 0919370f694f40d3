/**
 * Declares the metrics of calls to Azure as data, with upstream's names and labels, so that existing dashboards work.
 */
import type { HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';

type Label = 'request' | 'resource_group' | 'subscription_id' | 'source';

const labels: readonly Label[] = ['request', 'resource_group', 'subscription_id', 'source'];

const apiRequestDurationSeconds: HistogramDeclaration<Label> = {
  name: 'cloudprovider_azure_api_request_duration_seconds',
  help: 'Latency of Azure API calls.',
  stability: 'ALPHA',
  labels,
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600, 1_200],
};

const apiRequestErrors: MetricDeclaration<Label> = {
  name: 'cloudprovider_azure_api_request_errors',
  help: 'Azure API calls that failed, throttled ones included.',
  stability: 'ALPHA',
  labels,
};

const apiRequestThrottledCount: MetricDeclaration<Label> = {
  name: 'cloudprovider_azure_api_request_throttled_count',
  help: 'Azure API calls that Azure throttled.',
  stability: 'ALPHA',
  labels,
};

const apiRequestRatelimitedCount: MetricDeclaration<Label> = {
  name: 'cloudprovider_azure_api_request_ratelimited_count',
  help: 'Azure API calls that were not sent because Azure had throttled earlier ones.',
  stability: 'ALPHA',
  labels,
};

/** All declarations, for the reference page. */
export const azureMetricDeclarations: readonly (
  | HistogramDeclaration<Label>
  | MetricDeclaration<Label>
)[] = [
  apiRequestDurationSeconds,
  apiRequestErrors,
  apiRequestThrottledCount,
  apiRequestRatelimitedCount,
];

export interface AzureRequest {
  /** Upstream's name of the call, such as `vmss_list`. */
  readonly request: string;
  readonly resourceGroup: string;
  readonly subscriptionId: string;
}

export interface AzureMetrics {
  sent(request: AzureRequest, durationMs: number): void;
  failed(request: AzureRequest): void;
  throttled(request: AzureRequest): void;
  rateLimited(request: AzureRequest): void;
}

export function azureMetrics(metrics: Metrics): AzureMetrics {
  const durations = metrics.histogram(apiRequestDurationSeconds);
  const errors = metrics.counter(apiRequestErrors);
  const throttles = metrics.counter(apiRequestThrottledCount);
  const rateLimits = metrics.counter(apiRequestRatelimitedCount);
  return {
    sent: (request, durationMs) => durations.observe(labelsOf(request), durationMs / 1_000),
    failed: (request) => errors.inc(labelsOf(request)),
    throttled: (request) => throttles.inc(labelsOf(request)),
    rateLimited: (request) => rateLimits.inc(labelsOf(request)),
  };
}

/**
 * Returns the labels of a call. Upstream's label `source` names the Service or Pod that caused the call; there is none
 * here.
 */
function labelsOf(one: AzureRequest): Readonly<Record<Label, string>> {
  return {
    request: one.request,
    resource_group: one.resourceGroup.toLowerCase(),
    subscription_id: one.subscriptionId.toLowerCase(),
    source: '',
  };
}
