/**
 * A certificate authority in memory. The manager signs its own certificate with it if it was given none, and embedded
 * clusters and control planes of tests trust it. Its key is never stored, so nobody can sign with it once the object is
 * gone.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP, isIPv6 } from 'node:net';
import {
  attribute,
  bitString,
  extension,
  integer,
  isTrue,
  objectIdentifier,
  octetString,
  sequence,
  tagged,
  time,
} from './der-writer.ts';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Subject {
  readonly commonName: string;
  /** Kubernetes reads these as groups. */
  readonly organizations?: readonly string[];
  /** The DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
  readonly uses: readonly ('serverAuth' | 'clientAuth')[];
}

export interface Authority {
  /** The authority's own certificate in PEM, which a peer has to trust. */
  readonly cert: string;
  issue(subject: Subject): KeyPair;
}

interface AuthorityOptions {
  readonly commonName: string;
  readonly nowMs: number;
  /** The validity of its own certificate and of those that it issues. */
  readonly validityMs: number;
}

export function createAuthority({ commonName, nowMs, validityMs }: AuthorityOptions): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const validity = sequence(time(nowMs - skewMs), time(nowMs + validityMs));
  const issuer = { name: distinguishedName(commonName, []), keys, validity };
  return {
    cert: certificate(issuer, {
      name: issuer.name,
      publicKey: keys.publicKey,
      extensions: authorityExtensions(),
    }),
    issue(subject) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const name = distinguishedName(subject.commonName, subject.organizations ?? []);
      return {
        cert: certificate(issuer, { name, publicKey, extensions: leafExtensions(subject) }),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

/** How much earlier validity begins, for peers whose clocks run behind. */
const skewMs = 3_600_000;

const oid = {
  ecdsaWithSha256: objectIdentifier('1.2.840.10045.4.3.2'),
  commonName: objectIdentifier('2.5.4.3'),
  organization: objectIdentifier('2.5.4.10'),
  subjectKeyIdentifier: objectIdentifier('2.5.29.14'),
  keyUsage: objectIdentifier('2.5.29.15'),
  subjectAltName: objectIdentifier('2.5.29.17'),
  basicConstraints: objectIdentifier('2.5.29.19'),
  authorityKeyIdentifier: objectIdentifier('2.5.29.35'),
  extendedKeyUsage: objectIdentifier('2.5.29.37'),
  serverAuth: objectIdentifier('1.3.6.1.5.5.7.3.1'),
  clientAuth: objectIdentifier('1.3.6.1.5.5.7.3.2'),
} as const;

interface Issuer {
  readonly name: Buffer;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly validity: Buffer;
}

interface Certified {
  readonly name: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function certificate(issuer: Issuer, { name, publicKey, extensions }: Certified): string {
  const algorithm = sequence(oid.ecdsaWithSha256);
  const issuerKey = tagged(0, keyIdentifier(issuer.keys.publicKey), 'primitive');
  const identifiers = [
    extension(oid.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    extension(oid.authorityKeyIdentifier, sequence(issuerKey)),
  ];
  const content = sequence(
    tagged(0, integer(Buffer.of(2))),
    // Each key is certified once, so its identifier can serve as the serial number.
    integer(keyIdentifier(publicKey)),
    algorithm,
    issuer.name,
    issuer.validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions, ...identifiers)),
  );
  const signature = sign('sha256', content, issuer.keys.privateKey);
  return pem(sequence(content, algorithm, bitString(signature, 0)));
}

function authorityExtensions(): Buffer[] {
  return [
    extension(oid.basicConstraints, sequence(isTrue()), 'critical'),
    // keyCertSign is bit 5.
    extension(oid.keyUsage, bitString(Buffer.of(0b0000_0100), 2), 'critical'),
  ];
}

function leafExtensions({ hosts = [], uses }: Subject): Buffer[] {
  const names = hosts.map((host) =>
    isIP(host) === 0
      ? tagged(2, Buffer.from(host, 'ascii'), 'primitive')
      : tagged(7, ipBytes(host), 'primitive'),
  );
  return [
    // digitalSignature is bit 0, the only usage of an EC key.
    extension(oid.keyUsage, bitString(Buffer.of(0b1000_0000), 7), 'critical'),
    extension(oid.extendedKeyUsage, sequence(...uses.map((use) => oid[use]))),
    ...(names.length === 0 ? [] : [extension(oid.subjectAltName, sequence(...names))]),
  ];
}

function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  return sequence(
    ...organizations.map((organization) => attribute(oid.organization, organization)),
    attribute(oid.commonName, commonName),
  );
}

/** The first byte is never zero, because a serial number is written without leading zeros. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const digest = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  return Buffer.concat([Buffer.of(0x01), digest.subarray(0, 15)]);
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** Returns the four or sixteen bytes of an address. A certificate cannot contain a zone. */
function ipBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser turns every form, even one with an IPv4 tail, into groups of hexadecimal digits.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const before = groupsIn(head);
  const after = groupsIn(tail);
  const zeros = Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from(
    [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]),
  );
}

function groupsIn(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
