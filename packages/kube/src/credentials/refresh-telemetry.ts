/**
 * Reports credentials that cannot be refreshed: a log line when that begins, when its cause changes, when
 * the old ones expire and when it ends; a metric at every try.
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
  if (telemetry === undefined) return unheard;
  const { logger, metrics } = telemetry;
  const failures = metrics.counter(refreshFailuresTotal);
  let told = '';
  return {
    failed(err, { isOldGood }) {
      failures.inc({ source });
      const what = `${err instanceof CcmError ? err.code : ''} ${isOldGood}`;
      if (what === told) return;
      told = what;
      if (isOldGood)
        logger.warn({ source, err }, 'Could not refresh credentials, keeping the old ones');
      else
        logger.error({ source, err }, 'Could not refresh credentials, the old ones have expired');
    },
    succeeded() {
      if (told !== '') logger.info({ source }, 'Refreshed credentials');
      told = '';
    },
  };
}

const unheard: RefreshTelemetry = { failed: () => undefined, succeeded: () => undefined };
