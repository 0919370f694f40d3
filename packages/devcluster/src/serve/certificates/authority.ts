/**
 * The certificate authority of one embedded cluster. It lives in memory and as long as the cluster, so
 * that nothing that trusts it is worth anything afterwards, and verification is never skipped.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';
import {
  bits,
  context,
  instant,
  objectId,
  octets,
  positiveInteger,
  sequence,
  set,
  trueValue,
  utf8,
} from './der.ts';

/** All PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  /** Read as groups of a user. */
  readonly organizations?: readonly string[];
  /** DNS names and addresses by which a server is reached. */
  readonly hosts?: readonly string[];
  readonly use: 'serverAuth' | 'clientAuth';
}

export interface Authority {
  readonly cert: string;
  issue(subject: Subject): KeyPair;
}

const dayMs = 86_400_000;
/** Clocks differ by less than an hour, and nobody's `npm start` runs for a year. */
const validityMs = { before: dayMs / 24, after: 365 * dayMs };

export function createAuthority(nowMs: number): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: nameOf('tandem-devcluster', []), keys, nowMs };
  const isAuthority = extension(oid.basicConstraints, sequence(trueValue), trueValue);
  // The bits 5 and 6: it signs certificates and revocation lists.
  const keyUse = extension(oid.keyUsage, bits(Buffer.of(0b0000_0110), 1), trueValue);
  return {
    cert: certificate(issuer, {
      name: issuer.name,
      key: keys.publicKey,
      extensions: [isAuthority, keyUse],
    }),
    issue: (subject) => issue(issuer, subject),
  };
}

const oid = {
  ecdsaWithSha256: objectId('1.2.840.10045.4.3.2'),
  commonName: objectId('2.5.4.3'),
  organization: objectId('2.5.4.10'),
  keyIdentifier: objectId('2.5.29.14'),
  keyUsage: objectId('2.5.29.15'),
  alternativeName: objectId('2.5.29.17'),
  basicConstraints: objectId('2.5.29.19'),
  issuerIdentifier: objectId('2.5.29.35'),
  extendedKeyUsage: objectId('2.5.29.37'),
  serverAuth: objectId('1.3.6.1.5.5.7.3.1'),
  clientAuth: objectId('1.3.6.1.5.5.7.3.2'),
};

interface Issuer {
  readonly name: Buffer;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly nowMs: number;
}

interface Certified {
  readonly name: Buffer;
  readonly key: KeyObject;
  readonly extensions: readonly Buffer[];
}

function issue(issuer: Issuer, subject: Subject): KeyPair {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = (subject.hosts ?? []).map(hostName);
  const extensions = [
    // The bit 0: it signs, which is all that TLS asks of such a key.
    extension(oid.keyUsage, bits(Buffer.of(0b1000_0000), 7), trueValue),
    extension(oid.extendedKeyUsage, sequence(oid[subject.use])),
    ...(names.length === 0 ? [] : [extension(oid.alternativeName, sequence(...names))]),
  ];
  const name = nameOf(subject.commonName, subject.organizations ?? []);
  return {
    cert: certificate(issuer, { name, key: keys.publicKey, extensions }),
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function certificate(issuer: Issuer, { name, key, extensions }: Certified): string {
  const algorithm = sequence(oid.ecdsaWithSha256);
  const issuerKey = context(0, digest(issuer.keys.publicKey), 'primitive');
  const content = sequence(
    context(0, positiveInteger(Buffer.of(2))),
    // Each key is certified once, so that its digest will do for a serial number.
    positiveInteger(Buffer.concat([Buffer.of(1), digest(key).subarray(1)])),
    algorithm,
    issuer.name,
    sequence(instant(issuer.nowMs - validityMs.before), instant(issuer.nowMs + validityMs.after)),
    name,
    key.export({ type: 'spki', format: 'der' }),
    context(
      3,
      sequence(
        ...extensions,
        extension(oid.keyIdentifier, octets(digest(key))),
        extension(oid.issuerIdentifier, sequence(issuerKey)),
      ),
    ),
  );
  const signature = sign('sha256', content, issuer.keys.privateKey);
  return pem(sequence(content, algorithm, bits(signature)));
}

function extension(id: Buffer, value: Buffer, ...critical: readonly Buffer[]): Buffer {
  return sequence(id, ...critical, octets(value));
}

function nameOf(commonName: string, organizations: readonly string[]): Buffer {
  return sequence(
    ...organizations.map((text) => set(sequence(oid.organization, utf8(text)))),
    set(sequence(oid.commonName, utf8(commonName))),
  );
}

function hostName(host: string): Buffer {
  return isIP(host) === 0
    ? context(2, Buffer.from(host, 'ascii'), 'primitive')
    : context(7, addressBytes(host), 'primitive');
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  // The parser of URLs writes every form in groups of hexadecimal digits.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split('::').map(groups);
  const zeros = Array<number>(8 - head.length - tail.length).fill(0);
  return Buffer.from([...head, ...zeros, ...tail].flatMap((group) => [group >> 8, group & 0xff]));
}

function digest(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
