/**
 * When credentials for the API server expire, as a metric. Client certificates and most tokens contain their expiry. An
 * exec plug-in gives one expiry for its whole answer. Only the expiry of a token is read; its signature is not checked.
 */
import { isRecord, type MetricDeclaration } from '@tandem/runtime';
import { checkCertificates } from './check-pem.ts';
import type { CredentialsTelemetry } from './refresh-telemetry.ts';

export const credentialsExpirySeconds: MetricDeclaration<'flag' | 'kind'> = {
  name: 'tandem_credentials_expiry_timestamp_seconds',
  help: 'Expiry time of the client certificate and of the token for the API server. The flag is the one that names a kubeconfig, also where the service account of the pod is used instead. +Inf if there is none of the kind, or if it does not say when it expires.',
  stability: 'ALPHA',
  labels: ['flag', 'kind'],
};

export interface UsedCredentials {
  readonly cert: string | undefined;
  readonly token: string | undefined;
  /** What a plug-in says about its answer. */
  readonly expiresAtMs: number | undefined;
}

export function expiryReporter(
  telemetry: CredentialsTelemetry | undefined,
  flag: string,
): (used: UsedCredentials) => void {
  if (telemetry === undefined) return () => undefined;
  const expiry = telemetry.metrics.gauge(credentialsExpirySeconds);
  return ({ cert, token, expiresAtMs }) => {
    const ofCert = cert === undefined ? never : earlier(certificateExpiryMs(cert), expiresAtMs);
    const ofToken = token === undefined ? never : earlier(tokenExpiryMs(token), expiresAtMs);
    expiry.set({ flag, kind: 'certificate' }, ofCert / 1000);
    expiry.set({ flag, kind: 'token' }, ofToken / 1000);
  };
}

const never = Number.POSITIVE_INFINITY;

function earlier(ownMs: number, pluginsMs: number | undefined): number {
  return Math.min(ownMs, pluginsMs ?? never);
}

function certificateExpiryMs(text: string): number {
  return checkCertificates({ text, name: 'The client certificate' }).validToDate.getTime();
}

/** The claim `exp` of a JSON web token. */
function tokenExpiryMs(token: string): number {
  const [, payload = ''] = token.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const exp = isRecord(claims) ? claims['exp'] : undefined;
    return typeof exp === 'number' ? exp * 1000 : never;
  } catch {
    return never;
  }
}
