/**
 * Checks certificates and keys before their use, so that an error names the field and the file instead of
 * appearing in a TLS handshake.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { CredentialsError } from './credentials.ts';

/** PEM text and its name for errors. */
export interface Pem {
  readonly text: string;
  readonly name: string;
}

/** Returns the first certificate. All of them must be readable. */
export function checkCertificates({ text, name }: Pem): X509Certificate {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const [first] = blocks.map((block) => readCertificate(block, name));
  if (first !== undefined) return first;
  throw new CredentialsError('CertificateInvalid', {
    problem: `${name} contains no certificate.`,
    fix: 'It must be PEM that starts with "-----BEGIN CERTIFICATE-----".',
  });
}

/** The certificate and the key of a client must both exist and match. */
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

function readCertificate(block: string, name: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (err) {
    throw new CredentialsError('CertificateInvalid', {
      problem: `${name} contains an unreadable certificate.`,
      fix: 'Replace it. It may be truncated.',
      cause: err,
    });
  }
}
