/**
 * A certificate for a manager that was given none: good for encryption and for people who copy the
 * authority, worth nothing elsewhere. The authority's key signs this one certificate and is then
 * forgotten, so that nobody can ever sign another with it.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  integer,
  isTrue,
  objectIdentifier,
  octetString,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from './der-writer.ts';
import { ipBytes } from './ip-bytes.ts';

/** Both in PEM. The certificate is followed by that of its authority. */
export interface PemPair {
  readonly cert: string;
  readonly key: string;
}

export interface SelfSignedOptions {
  readonly nowMs: number;
  /** Host names and IP addresses. */
  readonly hosts: readonly string[];
}

export const selfSignedValidityMs: number = 365 * 24 * 3_600_000;

/** Clocks of others may run behind ours. */
const skewMs = 3_600_000;

export function createSelfSigned({ nowMs, hosts }: SelfSignedOptions): PemPair {
  const authority = { ...keyPair(), name: nameOf(`${hosts[0]}-ca@${nowMs}`) };
  const leaf = { ...keyPair(), name: nameOf(`${hosts[0]}@${nowMs}`) };
  const authorityCert = certificate(authority, authority, nowMs, authorityExtensions());
  const leafCert = certificate(authority, leaf, nowMs, leafExtensions(hosts));
  return {
    cert: pem(leafCert) + pem(authorityCert),
    key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Party {
  readonly name: Buffer;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const oid = {
  ecdsaWithSha256: objectIdentifier('1.2.840.10045.4.3.2'),
  commonName: objectIdentifier('2.5.4.3'),
  subjectKeyIdentifier: objectIdentifier('2.5.29.14'),
  keyUsage: objectIdentifier('2.5.29.15'),
  subjectAltName: objectIdentifier('2.5.29.17'),
  basicConstraints: objectIdentifier('2.5.29.19'),
  authorityKeyIdentifier: objectIdentifier('2.5.29.35'),
  extendedKeyUsage: objectIdentifier('2.5.29.37'),
  serverAuth: objectIdentifier('1.3.6.1.5.5.7.3.1'),
} as const;

function keyPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function certificate(
  issuer: Party,
  subject: Party,
  nowMs: number,
  extensions: readonly Buffer[],
): Buffer {
  const algorithm = sequence(oid.ecdsaWithSha256);
  const identifiers = [
    extension(oid.subjectKeyIdentifier, octetString(keyIdentifier(subject))),
    extension(oid.authorityKeyIdentifier, sequence(tagged(0, keyIdentifier(issuer), 'primitive'))),
  ];
  const content = sequence(
    tagged(0, integer(Buffer.of(2))),
    // A key is certified once, so that its identifier is a serial number as well.
    integer(keyIdentifier(subject)),
    algorithm,
    issuer.name,
    sequence(time(nowMs - skewMs), time(nowMs + selfSignedValidityMs)),
    subject.name,
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions, ...identifiers)),
  );
  return sequence(content, algorithm, bitString(sign('sha256', content, issuer.privateKey), 0));
}

function authorityExtensions(): Buffer[] {
  return [
    extension(oid.basicConstraints, sequence(isTrue()), 'critical'),
    // keyCertSign, the bit 5.
    extension(oid.keyUsage, bitString(Buffer.of(0b0000_0100), 2), 'critical'),
  ];
}

function leafExtensions(hosts: readonly string[]): Buffer[] {
  const names = hosts.map((host) =>
    isIP(host) === 0
      ? tagged(2, Buffer.from(host, 'ascii'), 'primitive')
      : tagged(7, ipBytes(host), 'primitive'),
  );
  return [
    // digitalSignature, the bit 0: all that an EC key is used for.
    extension(oid.keyUsage, bitString(Buffer.of(0b1000_0000), 7), 'critical'),
    extension(oid.extendedKeyUsage, sequence(oid.serverAuth)),
    extension(oid.subjectAltName, sequence(...names)),
  ];
}

function extension(id: Buffer, value: Buffer, weight: 'critical' | 'plain' = 'plain'): Buffer {
  return sequence(id, ...(weight === 'critical' ? [isTrue()] : []), octetString(value));
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(oid.commonName, utf8String(commonName))));
}

/** The first byte is never zero, because a serial number is written without leading zeros. */
function keyIdentifier({ publicKey }: Pick<Party, 'publicKey'>): Buffer {
  const digest = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  return Buffer.concat([Buffer.of(0x01), digest.subarray(0, 15)]);
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
