/**
 * Chooses the certificate for the name that a client asks for: an exact name comes before a pattern, and a pattern matches one
 * label only, as in Go.
 */
import type { X509Certificate } from 'node:crypto';

/** The value for this name; undefined where the default is to be used. */
export function findByName<T>(byName: ReadonlyMap<string, T>, asked: string): T | undefined {
  const name = asked.toLowerCase().replace(/\.$/, '');
  const [, ...rest] = name.split('.');
  return byName.get(name) ?? byName.get(['*', ...rest].join('.'));
}

/** The host names that a certificate is for; its common name where it has no others. */
export function namesOf(certificate: X509Certificate): readonly string[] {
  const listed = (certificate.subjectAltName ?? '')
    .split(', ')
    .filter((entry) => entry.startsWith('DNS:'))
    .map((entry) => entry.slice('DNS:'.length))
    // What needs quoting is not a host name.
    .filter((name) => !name.includes('"'));
  if (certificate.subjectAltName !== undefined) return listed;
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === 'string' ? [CN] : [];
}
