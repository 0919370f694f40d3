/**
 * Translates the TLS settings for Node.js. The reader of the flags refuses to start with `tlsProblems`, because a list
 * that is only partly applied is worse than none.
 */
import { constants } from 'node:crypto';
import type { SecureContextOptions, SecureVersion } from 'node:tls';
import type { TlsMinVersion, TlsSettings } from '../serving-settings.ts';
import { cipherList, cipherProblems } from './cipher-suites.ts';
import { curveList, curveProblems } from './curves.ts';

/** Returns all settings that are not supported, each with advice. */
export function tlsProblems(settings: TlsSettings): readonly string[] {
  return [...cipherProblems(settings.cipherSuites), ...curveProblems(settings.curvePreferences)];
}

export function tlsOptions(settings: TlsSettings): SecureContextOptions {
  return {
    minVersion: versions[settings.minVersion],
    ciphers: cipherList(settings.cipherSuites),
    honorCipherOrder: true,
    ecdhCurve: curveList(settings.curvePreferences),
    // A resumed session would not send its certificate chain again, and a renegotiated one could send another. Every
    // new connection therefore makes one full handshake.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
}

const versions: Readonly<Record<TlsMinVersion, SecureVersion>> = {
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};
