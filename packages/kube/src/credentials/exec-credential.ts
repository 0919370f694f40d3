/**
 * The answer of an exec plug-in: an `ExecCredential` with a token, a client certificate, or both, and
 * optionally an expiry. Errors never quote the answer, because an almost valid one may still contain the
 * secret.
 */
import { isRecord } from '@tandem/runtime';

export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly expiresAtMs: number | undefined;
}

export type ParsedCredential =
  | { readonly kind: 'credential'; readonly credential: ExecCredential }
  | { readonly kind: 'nonsense'; readonly problem: string };

export function parseExecCredential(text: string, apiVersion: string): ParsedCredential {
  const answer = parseJson(text);
  if (answer === undefined) return nonsense('its output is not JSON');
  if (!isRecord(answer) || answer['kind'] !== 'ExecCredential') {
    return nonsense('its output is not an ExecCredential');
  }
  if (answer['apiVersion'] !== apiVersion) {
    return nonsense(`its output does not have apiVersion ${apiVersion}`);
  }
  const status = isRecord(answer['status']) ? answer['status'] : {};
  const token = textOf(status['token']);
  const cert = textOf(status['clientCertificateData']);
  const key = textOf(status['clientKeyData']);
  const expiry = textOf(status['expirationTimestamp']);
  const expiresAtMs = expiry === undefined ? undefined : Date.parse(expiry);
  if (token === undefined && cert === undefined) {
    return nonsense('its output has neither status.token nor status.clientCertificateData');
  }
  if ((cert === undefined) !== (key === undefined)) {
    return nonsense('its output has only one of status.clientCertificateData and clientKeyData');
  }
  if (Number.isNaN(expiresAtMs)) return nonsense('status.expirationTimestamp is not a time');
  return { kind: 'credential', credential: { token, cert, key, expiresAtMs } };
}

function nonsense(problem: string): ParsedCredential {
  return { kind: 'nonsense', problem };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
