/**
 * Reads a client certificate and its key from a PEM or PFX (PKCS#12) file, and returns them as the SDK needs them: as
 * PEM, with an unencrypted key. Errors of the libraries may repeat the key, so this file passes none of them on.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type CredentialSettings, invalid, readBytes } from './config/index.ts';

/** The maximum size of the file, far more than a key and its chain need. */
const bytesMax = 1_000_000;

export async function readCertificate({
  path,
  password,
}: CredentialSettings & { readonly kind: 'clientCertificate' }): Promise<string> {
  const bytes = await readBytes('aadClientCertPath', path);
  if (bytes.length > bytesMax) throw unfit(path);
  const passphrase = password?.reveal();
  return bytes.includes('-----BEGIN ')
    ? ofPem(bytes.toString('utf8'), path, passphrase)
    : ofPfx(bytes, path, passphrase);
}

function ofPem(text: string, path: string, passphrase: string | undefined): string {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
  const key = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----.+?-----END (?:[A-Z]+ )*PRIVATE KEY-----/s;
  const ownKey = key.exec(text)?.[0];
  if (certificates === null || ownKey === undefined) throw unfit(path);
  try {
    const opened = createPrivateKey({
      key: ownKey,
      ...(passphrase !== undefined && { passphrase }),
    });
    return [pemOf(opened), ...certificates].join('\n');
  } catch {
    throw closed(path);
  }
}

/**
 * Reads a PFX file with current encryption or with that of older tools, RC2 and triple DES, which Node.js itself cannot
 * decrypt.
 */
async function ofPfx(bytes: Buffer, path: string, passphrase = ''): Promise<string> {
  // The library is large and few users need it, so it is loaded only here.
  const { asn1, pkcs12, pki } = (await import('node-forge')).default;
  const parsed = attempt(() => asn1.fromDer(bytes.toString('binary')));
  if (parsed === undefined) throw unfit(path);
  const opened = attempt(() => pkcs12.pkcs12FromAsn1(parsed, false, passphrase));
  if (opened === undefined) throw closed(path);
  const bags = opened.safeContents.flatMap(({ safeBags }) => safeBags);
  const [key] = bags.flatMap((bag) => bag.key ?? []);
  if (key === undefined) throw unfit(path);
  const ownKey = createPrivateKey(pki.privateKeyToPem(key));
  const certificates = bags.flatMap(({ cert }) => (cert ? [pki.certificateToPem(cert)] : []));
  const own = certificates.find((pem) => new X509Certificate(pem).checkPrivateKey(ownKey));
  if (own === undefined) throw unfit(path);
  // The SDK expects the certificate of the key to come first.
  const chain = certificates.filter((pem) => pem !== own);
  return [pemOf(ownKey), own, ...chain].join('\n');
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function unfit(path: string): Error {
  return invalid(
    `aadClientCertPath: ${path} must have a certificate and its RSA key, as PEM or PFX (PKCS#12)`,
  );
}

function closed(path: string): Error {
  return invalid(
    `aadClientCertPath: the key in ${path} cannot be opened. Check aadClientCertPassword`,
  );
}
