/**
 * The settings of TLS as Node wants them. A setting that cannot be honoured is a problem to refuse the
 * start with, never one to pass over.
 */
import { constants } from 'node:crypto';
import type { SecureContextOptions, SecureVersion } from 'node:tls';
import { ServingError } from '../serving-error.ts';
import type { TlsSettings } from '../serving-settings.ts';
import { cipherList, cipherProblems } from './cipher-suites.ts';
import { curveList, curveProblems } from './curves.ts';

/** What of the settings cannot be served: all of it at once, each with what to do. */
export function tlsProblems(settings: TlsSettings): readonly string[] {
  return [
    ...cipherProblems(settings.cipherSuites),
    ...curveProblems(settings.curvePreferences),
    ...versionProblems(settings.minVersion),
  ];
}

export function tlsOptions(settings: TlsSettings): SecureContextOptions {
  const [problem] = tlsProblems(settings);
  if (problem !== undefined) {
    throw new ServingError('ServingSettingsInvalid', { problem, fix: '' });
  }
  return {
    minVersion: versions.get(settings.minVersion) ?? 'TLSv1.2',
    ciphers: cipherList(settings.cipherSuites),
    honorCipherOrder: true,
    ecdhCurve: curveList(settings.curvePreferences),
    // A resumed session would not show its chain of certificates again, and a renegotiated one could
    // show another; a full handshake is what every new connection makes.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
}

const versions: ReadonlyMap<string, SecureVersion> = new Map([
  ['VersionTLS12', 'TLSv1.2'],
  ['VersionTLS13', 'TLSv1.3'],
]);

function versionProblems(minVersion: string): string[] {
  if (versions.has(minVersion)) return [];
  return [
    `--tls-min-version: ${JSON.stringify(minVersion)} is not supported. ` +
      `Use ${[...versions.keys()].join(' or ')}.`,
  ];
}
