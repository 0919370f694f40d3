/**
 * Reads a certificate and its key from two texts and checks that they belong together. Errors name the files and never quote
 * their contents.
 */
import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { readCertificates } from '../certificates/pem.ts';
import { ServingError } from '../serving-error.ts';

export interface KeyPair {
  /** The certificate in PEM, followed by its authorities. */
  readonly cert: string;
  readonly key: string;
  readonly leaf: X509Certificate;
}

/** A text and the path of its file, for messages. */
interface NamedText {
  readonly text: string;
  readonly name: string;
}

export function readKeyPair({ cert, key }: { cert: NamedText; key: NamedText }): KeyPair {
  const [leaf] = readCertificates(cert.text) ?? [];
  if (leaf === undefined) {
    throw new ServingError('ServingCertificateInvalid', {
      problem: `${cert.name} has no readable certificate.`,
      fix: 'Use a complete file in PEM format that starts with "-----BEGIN CERTIFICATE-----".',
    });
  }
  if (!isKeyOf(leaf, readKey(key))) {
    throw new ServingError('ServingCertificateInvalid', {
      problem: `The certificate in ${cert.name} and the private key in ${key.name} do not match.`,
      fix: 'Use a certificate and a key that were issued together.',
    });
  }
  return { cert: cert.text, key: key.text, leaf };
}

function readKey({ text, name }: NamedText): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // OpenSSL's message does not help, and the text itself must not appear.
    throw new ServingError('ServingCertificateInvalid', {
      problem: `${name} has no readable private key.`,
      fix: 'Use a file in PEM format that starts with "-----BEGIN" and has no passphrase.',
    });
  }
}

function isKeyOf(leaf: X509Certificate, key: KeyObject): boolean {
  try {
    return leaf.checkPrivateKey(key);
  } catch {
    return false;
  }
}
