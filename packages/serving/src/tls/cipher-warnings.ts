/**
 * Warns about cipher suites that are available but do not have the effect that the operator wants. The port opens
 * anyway, because the list does not apply to clients of TLS 1.3.
 */
import type { X509Certificate } from 'node:crypto';
import type { TlsSettings } from '../serving-settings.ts';
import { isTls13Suite } from './cipher-suites.ts';

/** Returns a warning about suites that have no effect with any certificate; undefined if there are none. */
export function uselessSuites({ cipherSuites, minVersion }: TlsSettings): string | undefined {
  const older = olderSuites(cipherSuites);
  if (minVersion !== 'VersionTLS13' || older.length === 0) return undefined;
  return (
    `--tls-cipher-suites: TLS 1.2 suites have no effect with --tls-min-version=VersionTLS13 (${older.join(', ')}). ` +
    'Remove them, or use --tls-min-version=VersionTLS12.'
  );
}

/** Returns why no TLS 1.2 client can connect with this certificate; undefined if some can, or if TLS 1.2 is off. */
export function unusableSuites(
  { cipherSuites, minVersion }: TlsSettings,
  { publicKey }: Pick<X509Certificate, 'publicKey'>,
): string | undefined {
  const older = olderSuites(cipherSuites);
  if (minVersion === 'VersionTLS13' || older.length === 0) return undefined;
  const needed = publicKey.asymmetricKeyType?.startsWith('rsa') ? 'RSA' : 'ECDSA';
  if (older.some((name) => keyOf(name) === needed)) return undefined;
  return (
    `--tls-cipher-suites: none of ${older.join(', ')} works with the key of this certificate. ` +
    `Add a suite with ${needed} in its name, or use a certificate with another type of key.`
  );
}

function olderSuites(names: readonly string[]): string[] {
  return names.filter((name) => !isTls13Suite(name));
}

function keyOf(suite: string): 'ECDSA' | 'RSA' {
  return suite.includes('_ECDSA_') ? 'ECDSA' : 'RSA';
}
