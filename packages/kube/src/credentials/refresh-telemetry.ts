/**
 * Reports credentials that cannot be refreshed: a log line when the failures begin, when their cause
 * changes, when the old credentials expire and when the failures end; a metric at every failure.
 */
import { CcmError, type Logger, type MetricDeclaration, type Metrics } from '@tandem/runtime';
import type { RefreshTelemetry } from './refreshing.ts';

export const refreshFailuresTotal: MetricDeclaration<'source'> = {
  name: 'tandem_credentials_refresh_failures_total',
  help: 'Failed attempts to refresh credentials, from "files" (kubeconfig, token, certificates) or from an exec "plugin". The old credentials stay in use until they expire.',
  stability: 'ALPHA',
  labels: ['source'],
};

export interface CredentialsTelemetry {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export function refreshTelemetry(
  telemetry: CredentialsTelemetry | undefined,
  source: 'files' | 'plugin',
): RefreshTelemetry {
  if (telemetry === undefined) return noTelemetry;
  const { logger, metrics } = telemetry;
  const failures = metrics.counter(refreshFailuresTotal);
  let reported = '';
  return {
    failed(err, { isOldGood }) {
      failures.inc({ source });
      const what = `${err instanceof CcmError ? err.code : ''} ${isOldGood}`;
      if (what === reported) return;
      reported = what;
      if (isOldGood)
        logger.warn({ source, err }, 'Could not refresh credentials, keeping the old ones');
      else
        logger.error({ source, err }, 'Could not refresh credentials, the old ones have expired');
    },
    succeeded() {
      if (reported !== '') logger.info({ source }, 'Refreshed credentials');
      reported = '';
    },
  };
}

const noTelemetry: RefreshTelemetry = { failed: () => undefined, succeeded: () => undefined };
