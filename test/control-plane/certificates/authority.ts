/**
 * A certificate authority that lives as long as one control plane: EC P-256 keys, version 3
 * certificates. Each control plane has its own authorities, so that nothing it trusts is worth anything
 * elsewhere, and verification is never skipped.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  boolean,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from './der.ts';
import { ipBytes } from './ip-bytes.ts';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** The authority's own certificate, PEM: what a peer has to trust. */
  readonly cert: string;
  issue(subject: Subject): KeyPair;
}

export interface Subject {
  readonly commonName: string;
  /** Kubernetes reads these as groups. */
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses by which a server is reached. */
  readonly hosts?: readonly string[];
  readonly uses: readonly ('serverAuth' | 'clientAuth')[];
}

/** Makes an authority whose certificates are valid for a month around `nowMs`. */
export function createAuthority(commonName: string, nowMs: number): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: distinguishedName(commonName, []), keys, nowMs };
  return {
    cert: certificate(issuer, {
      name: issuer.name,
      publicKey: keys.publicKey,
      extensions: [
        extension(oids.basicConstraints, sequence(boolean(true)), 'critical'),
        // keyCertSign and cRLSign, the bits 5 and 6.
        extension(oids.keyUsage, bitString(Buffer.of(0b0000_0110), 1), 'critical'),
      ],
    }),
    issue(subject) {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const cert = certificate(issuer, {
        name: distinguishedName(subject.commonName, subject.organizations ?? []),
        publicKey: leaf.publicKey,
        extensions: leafExtensions(subject),
      });
      return { cert, key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

/** A month outlives every test run and every sitting of a person; the hour before covers skew. */
const validityMs = { before: 3_600_000, after: 30 * 24 * 3_600_000 };

const oids = {
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
};

interface Issuer {
  readonly name: Buffer;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly nowMs: number;
}

interface Certified {
  readonly name: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function certificate(issuer: Issuer, subject: Certified): string {
  const algorithm = sequence(oids.ecdsaWithSha256);
  const content = sequence(
    tagged(0, integer(Buffer.of(2))),
    // A key is certified once, so that its identifier is a serial number as well.
    integer(keyIdentifier(subject.publicKey)),
    algorithm,
    issuer.name,
    sequence(time(issuer.nowMs - validityMs.before), time(issuer.nowMs + validityMs.after)),
    subject.name,
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      3,
      sequence(
        ...subject.extensions,
        extension(oids.subjectKeyIdentifier, octetString(keyIdentifier(subject.publicKey))),
        extension(
          oids.authorityKeyIdentifier,
          sequence(tagged(0, keyIdentifier(issuer.keys.publicKey), 'primitive')),
        ),
      ),
    ),
  );
  const signature = sign('sha256', content, issuer.keys.privateKey);
  return pem(sequence(content, algorithm, bitString(signature)));
}

function leafExtensions(subject: Subject): Buffer[] {
  const names = (subject.hosts ?? []).map((host) =>
    isIP(host) === 0
      ? tagged(2, Buffer.from(host, 'ascii'), 'primitive')
      : tagged(7, ipBytes(host), 'primitive'),
  );
  return [
    // digitalSignature, the bit 0: all that TLS 1.3 asks of an EC key.
    extension(oids.keyUsage, bitString(Buffer.of(0b1000_0000), 7), 'critical'),
    extension(oids.extendedKeyUsage, sequence(...subject.uses.map((use) => oids[use]))),
    ...(names.length > 0 ? [extension(oids.subjectAltName, sequence(...names))] : []),
  ];
}

function distinguishedName(commonName: string, organizations: readonly string[]): Buffer {
  return sequence(
    ...organizations.map((organization) => attribute(oids.organization, organization)),
    attribute(oids.commonName, commonName),
  );
}

function attribute(oid: Buffer, value: string): Buffer {
  return set(sequence(oid, utf8String(value)));
}

function extension(oid: Buffer, value: Buffer, weight: 'critical' | 'plain' = 'plain'): Buffer {
  return sequence(oid, ...(weight === 'critical' ? [boolean(true)] : []), octetString(value));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
