/**
 * The metrics of the secure port, declared as data. They have upstream's names if promtool accepts these. No label has
 * a value that a client can choose.
 */
import type { Metrics } from '@tandem/runtime';

/** Every metric of the secure port except those of `/metrics/slis`, in the order of the reference page. */
export const servingMetricTable = {
  servingRequestsTotal: {
    name: 'tandem_serving_requests_total',
    help: 'Requests to the secure port, by page and status code. Unknown paths count as "other".',
    stability: 'ALPHA',
    labels: ['path', 'code'],
  },
  servingConnections: {
    name: 'tandem_serving_connections',
    help: 'Open connections to the secure port.',
    stability: 'ALPHA',
    labels: [],
  },
  servingConnectionsShedTotal: {
    name: 'tandem_serving_connections_shed_total',
    help: 'Connections closed because they were idle too long or to make room for others.',
    stability: 'ALPHA',
    labels: ['reason'],
  },
  servingCertificateExpirySeconds: {
    name: 'tandem_serving_certificate_expiry_timestamp_seconds',
    help: 'Expiry time of the main serving certificate.',
    stability: 'ALPHA',
    labels: [],
  },
  tokenCacheRequestTotal: {
    name: 'authentication_token_cache_request_total',
    help: 'Look-ups in the token cache, by result (hit or miss).',
    stability: 'ALPHA',
    labels: ['status'],
  },
  authnRequestTotal: {
    name: 'apiserver_delegated_authn_request_total',
    help: 'Token reviews requested from the API server, by status code.',
    stability: 'ALPHA',
    labels: ['code'],
  },
  authnRequestDurationSeconds: {
    name: 'apiserver_delegated_authn_request_duration_seconds',
    help: 'Duration of token reviews, by status code.',
    stability: 'ALPHA',
    labels: ['code'],
    buckets: [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10],
  },
  authzRequestTotal: {
    name: 'apiserver_delegated_authz_request_total',
    help: 'Access reviews requested from the API server, by status code.',
    stability: 'ALPHA',
    labels: ['code'],
  },
  authzRequestDurationSeconds: {
    name: 'apiserver_delegated_authz_request_duration_seconds',
    help: 'Duration of access reviews, by status code.',
    stability: 'ALPHA',
    labels: ['code'],
    buckets: [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10],
  },
} as const;

export interface ReviewMetrics {
  /** Counts a review. `code` is a status code, or `<error>` if there was no answer. */
  ended(code: string, durationMs: number): void;
}

export interface ServingMetrics {
  answered(path: string, code: number): void;
  connections(count: number): void;
  shed(reason: 'idle' | 'crowded'): void;
  certificateExpires(epochMs: number): void;
  tokenLookedUp(status: 'hit' | 'miss'): void;
  readonly tokenReviews: ReviewMetrics;
  readonly accessReviews: ReviewMetrics;
}

export function createServingMetrics(metrics: Metrics): ServingMetrics {
  const requests = metrics.counter(servingMetricTable.servingRequestsTotal);
  const connections = metrics.gauge(servingMetricTable.servingConnections);
  const shed = metrics.counter(servingMetricTable.servingConnectionsShedTotal);
  const expiry = metrics.gauge(servingMetricTable.servingCertificateExpirySeconds);
  const lookups = metrics.counter(servingMetricTable.tokenCacheRequestTotal);
  return {
    answered: (path, code) => requests.inc({ path, code: String(code) }),
    connections: (count) => connections.set(count),
    shed: (reason) => shed.inc({ reason }),
    certificateExpires: (epochMs) => expiry.set(epochMs / 1_000),
    tokenLookedUp: (status) => lookups.inc({ status }),
    tokenReviews: reviewMetrics(metrics, 'authn'),
    accessReviews: reviewMetrics(metrics, 'authz'),
  };
}

function reviewMetrics(metrics: Metrics, kind: 'authn' | 'authz'): ReviewMetrics {
  const requests = metrics.counter(servingMetricTable[`${kind}RequestTotal`]);
  const durations = metrics.histogram(servingMetricTable[`${kind}RequestDurationSeconds`]);
  return {
    ended(code, durationMs) {
      requests.inc({ code });
      durations.observe({ code }, durationMs / 1_000);
    },
  };
}
