/** The metrics of the checks at the start. */
import type { MetricDeclaration, Metrics } from '@tandem/runtime';

export const missingPermissions: MetricDeclaration<'verb' | 'resource'> = {
  name: 'tandem_missing_permissions',
  help: 'Permissions that the manager needs, as checked at startup: 1 if missing, 0 if present.',
  stability: 'ALPHA',
  labels: ['verb', 'resource'],
};

export const clockSkewSeconds: MetricDeclaration<never> = {
  name: 'tandem_api_server_clock_skew_seconds',
  help: 'Seconds by which the clock of this machine was ahead of the API server at startup.',
  stability: 'ALPHA',
  labels: [],
};

type AccessResult = 'granted' | 'incomplete' | 'refused' | 'unknown';

export const cloudAccess: MetricDeclaration<'result'> = {
  name: 'tandem_cloud_access',
  help:
    'Whether the cloud accepts the credentials of the provider, as last checked: 1 for the current ' +
    'result. Incomplete if lookups work and something else does not. Checked at startup and, until ' +
    'access is granted, every minute. Not set for providers that cannot check access.',
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

/**
 * For identities that are checked side by side in one round: what one of them lacks is missing, whatever the
 * others are answered later.
 */
export function roundOf(metrics: SelfCheckMetrics): SelfCheckMetrics {
  const lacking = new Set<string>();
  return {
    ...metrics,
    permission(verb, resource, isMissing) {
      const key = `${verb} ${resource}`;
      if (isMissing) lacking.add(key);
      metrics.permission(verb, resource, lacking.has(key));
    },
  };
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
      for (const each of ['granted', 'incomplete', 'refused', 'unknown'] as const) {
        access.set({ result: each }, each === result ? 1 : 0);
      }
    },
  };
}
