/**
 * The settings of TLS as Node wants them. The reader of the flags refuses the start with `tlsProblems`: a list that is
 * half obeyed is worse than none.
 */
import { constants } from 'node:crypto';
import type { SecureContextOptions, SecureVersion } from 'node:tls';
import type { TlsMinVersion, TlsSettings } from '../serving-settings.ts';
import { cipherList, cipherProblems } from './cipher-suites.ts';
import { curveList, curveProblems } from './curves.ts';

/** What of the settings cannot be served: all of it at once, each with what to do. */
export function tlsProblems(settings: TlsSettings): readonly string[] {
  return [...cipherProblems(settings.cipherSuites), ...curveProblems(settings.curvePreferences)];
}

export function tlsOptions(settings: TlsSettings): SecureContextOptions {
  return {
    minVersion: versions[settings.minVersion],
    ciphers: cipherList(settings.cipherSuites),
    honorCipherOrder: true,
    ecdhCurve: curveList(settings.curvePreferences),
    // A resumed session would not show its chain of certificates again, and a renegotiated one could
    // show another; a full handshake is what every new connection makes.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
}

const versions: Readonly<Record<TlsMinVersion, SecureVersion>> = {
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};
