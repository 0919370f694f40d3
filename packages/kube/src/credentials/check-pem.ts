/**
 * Certificates and keys, looked at before they are used: what is wrong with them is said here, by the
 * name of the field and the file, and not later by OpenSSL in the middle of a handshake.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { CredentialsError } from './credentials.ts';

/** A text in PEM, and what to call it in an error. */
export interface Pem {
  readonly text: string;
  readonly name: string;
}

/** Gives the first certificate; every one in the text must be readable. */
export function checkCertificates({ text, name }: Pem): X509Certificate {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const [first] = blocks.map((block) => attempt(() => new X509Certificate(block), name));
  if (first !== undefined) return first;
  throw new CredentialsError('CertificateInvalid', {
    problem: `${name} contains no certificate.`,
    fix: 'It must be PEM that starts with "-----BEGIN CERTIFICATE-----".',
  });
}

/** The certificate and the key of a client must both be there and belong together. */
export function checkPair(cert: Pem | undefined, key: Pem | undefined): void {
  if (cert === undefined && key === undefined) return;
  if (cert === undefined || key === undefined) {
    const [there, missing] = cert === undefined ? [key, 'certificate'] : [cert, 'key'];
    throw new CredentialsError('CertificateInvalid', {
      problem: `${there?.name} has no matching client ${missing}.`,
      fix: 'Set both or neither.',
    });
  }
  const certificate = checkCertificates(cert);
  if (certificate.checkPrivateKey(readKey(key))) return;
  throw new CredentialsError('CertificateInvalid', {
    problem: `${key.name} does not match the client certificate.`,
    fix: 'Use a key and a certificate that were issued together.',
  });
}

function readKey({ text, name }: Pem): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (err) {
    throw new CredentialsError('CertificateInvalid', {
      problem: `${name} contains no readable private key.`,
      fix: 'It must be PEM that starts with "-----BEGIN", without a passphrase.',
      cause: err,
    });
  }
}

function attempt<T>(read: () => T, name: string): T {
  try {
    return read();
  } catch (err) {
    throw new CredentialsError('CertificateInvalid', {
      problem: `${name} contains an unreadable certificate.`,
      fix: 'Replace it. It may be truncated.',
      cause: err,
    });
  }
}
