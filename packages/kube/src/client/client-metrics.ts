/**
 * The metrics of the client, with the names, labels and buckets of client-go, so that dashboards for
 * other managers also show this one.
 */
import type { Metrics } from '@tandem/runtime';
import type { Method } from '../transport/index.ts';

export const clientMetricTable = {
  requestsTotal: {
    name: 'rest_client_requests_total',
    help: 'Number of HTTP requests, partitioned by status code, method, and host.',
    stability: 'ALPHA',
    labels: ['code', 'method', 'host'],
  },
  requestDurationSeconds: {
    name: 'rest_client_request_duration_seconds',
    help: 'Request latency in seconds. Broken down by verb, and host.',
    stability: 'ALPHA',
    labels: ['verb', 'host'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  },
  requestRetriesTotal: {
    name: 'rest_client_request_retries_total',
    help: 'Number of request retries, partitioned by status code, verb, and host.',
    stability: 'ALPHA',
    labels: ['code', 'verb', 'host'],
  },
  rateLimiterDurationSeconds: {
    name: 'rest_client_rate_limiter_duration_seconds',
    help: 'Client side rate limiter latency in seconds. Broken down by verb, and host.',
    stability: 'ALPHA',
    labels: ['verb', 'host'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  },
} as const;

/** A status code, or that there was no answer. */
export type Outcome = number | '<error>';

export interface ClientMetrics {
  ended(method: Method, outcome: Outcome): void;
  took(method: Method, durationMs: number): void;
  retried(method: Method, outcome: Outcome): void;
  /** How long the rate limit delayed a request. */
  heldBack(method: Method, durationMs: number): void;
}

/** Two clients may share a registry, as the elector's and the controllers' do. */
export function clientMetrics(metrics: Metrics, host: string): ClientMetrics {
  const requests = metrics.counter(clientMetricTable.requestsTotal);
  const durations = metrics.histogram(clientMetricTable.requestDurationSeconds);
  const retries = metrics.counter(clientMetricTable.requestRetriesTotal);
  const waits = metrics.histogram(clientMetricTable.rateLimiterDurationSeconds);
  return {
    ended: (method, outcome) => requests.inc({ code: String(outcome), method, host }),
    took: (method, durationMs) => durations.observe({ verb: method, host }, durationMs / 1_000),
    retried: (method, outcome) => retries.inc({ code: String(outcome), verb: method, host }),
    heldBack: (method, durationMs) => waits.observe({ verb: method, host }, durationMs / 1_000),
  };
}
