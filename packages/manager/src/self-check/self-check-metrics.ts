/** The metrics of the checks at the start. */
import type { MetricDeclaration, Metrics } from '@tandem/runtime';

export const missingPermissions: MetricDeclaration<'verb' | 'resource'> = {
  name: 'tandem_missing_permissions',
  help: 'Permissions that this program needs, as they were when it started: 1 where it lacked one, else 0.',
  stability: 'ALPHA',
  labels: ['verb', 'resource'],
};

export const clockSkewSeconds: MetricDeclaration<never> = {
  name: 'tandem_api_server_clock_skew_seconds',
  help: 'How far the clock of this machine was ahead of the API server’s when the program started.',
  stability: 'ALPHA',
  labels: [],
};

export type AccessResult = 'granted' | 'refused' | 'unknown';

export const cloudAccess: MetricDeclaration<'result'> = {
  name: 'tandem_cloud_access',
  help:
    'Whether the cloud lets the provider in with its credentials, as last checked: 1 for the result ' +
    'that holds. It is checked at the start and, until access is granted, every minute; providers ' +
    'that cannot check it have none.',
  stability: 'ALPHA',
  labels: ['result'],
};

export interface SelfCheckMetrics {
  permission(verb: string, resource: string, isMissing: boolean): void;
  clockSkew(skewMs: number): void;
  access(result: AccessResult): void;
}

/** The checks may be run again, and a name can be declared once. */
const declared = new WeakMap<Metrics, SelfCheckMetrics>();

export function selfCheckMetrics(metrics: Metrics): SelfCheckMetrics {
  const known = declared.get(metrics) ?? declare(metrics);
  declared.set(metrics, known);
  return known;
}

function declare(metrics: Metrics): SelfCheckMetrics {
  const missing = metrics.gauge(missingPermissions);
  const skew = metrics.gauge(clockSkewSeconds);
  const access = metrics.gauge(cloudAccess);
  // It begins at 0, which would be read as a clock that was found to be right.
  skew.remove();
  return {
    permission: (verb, resource, isMissing) => missing.set({ verb, resource }, isMissing ? 1 : 0),
    clockSkew: (skewMs) => skew.set(skewMs / 1_000),
    access(result) {
      for (const each of ['granted', 'refused', 'unknown'] as const) {
        access.set({ result: each }, each === result ? 1 : 0);
      }
    },
  };
}
