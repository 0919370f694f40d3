/** Issues good and bad certificates of every kind, for tests of the code that verifies them. */
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import * as der from './der-writer.ts';

export interface Issued {
  readonly x509: X509Certificate;
  readonly certPem: string;
  readonly keyPem: string;
  readonly name: Buffer;
  readonly privateKey: KeyObject;
  readonly keyID: Buffer;
}

export interface IssueOptions {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  /** If undefined, the certificate is self-signed. */
  readonly issuer?: Issued;
  readonly isAuthority?: boolean;
  readonly pathLengthMax?: number;
  readonly purposes?: readonly string[];
  readonly fromMs?: number;
  readonly untilMs?: number;
  /** Whether it has a critical extension that no program knows. */
  readonly hasOddExtension?: boolean;
  /** Whether it has name constraints, for names below `.example`, that are not marked as critical. */
  readonly hasNameConstraints?: boolean;
  readonly dnsNames?: readonly string[];
  /** The bits of its key usage, from the left. If undefined, it has no such extension. */
  readonly keyUsage?: number;
  /** Whether it is signed with a key that is not the issuer's. */
  readonly isForged?: boolean;
  /** Whether it has the identifiers of its own key and of its issuer's, which distinguish issuers of one name. */
  readonly hasKeyIDs?: boolean;
}

export const keyUsage = { digitalSignature: 0x80, keyCertSign: 0x04 } as const;

export const dayMs: number = 24 * 3_600_000;
export const clientAuth = '1.3.6.1.5.5.7.3.2';
export const serverAuth = '1.3.6.1.5.5.7.3.1';

export function issue(options: IssueOptions = {}): Issued {
  const { commonName = 'somebody', organizations = [], issuer, untilMs = 30 * dayMs } = options;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der.sequence(
    ...organizations.map((each) => der.attribute(der.objectIdentifier('2.5.4.10'), each)),
    ...(commonName === '' ? [] : [der.attribute(der.objectIdentifier('2.5.4.3'), commonName)]),
  );
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const keyID = createHash('sha1').update(spki).digest();
  const algorithm = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));
  const content = der.sequence(
    der.tagged(0, der.integer(Buffer.of(2))),
    der.integer(Buffer.concat([Buffer.of(1), createHash('sha256').update(spki).digest()])),
    algorithm,
    issuer?.name ?? name,
    der.sequence(der.time(options.fromMs ?? 0), der.time(untilMs)),
    name,
    spki,
    der.tagged(
      3,
      der.sequence(...extensionsOf(options), ...keyIDsOf(options, keyID, issuer?.keyID ?? keyID)),
    ),
  );
  const signer = options.isForged === true ? issue().privateKey : issuer?.privateKey;
  const signature = sign('sha256', content, signer ?? privateKey);
  const x509 = new X509Certificate(der.sequence(content, algorithm, der.bitString(signature, 0)));
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { x509, certPem: x509.toString(), keyPem, name, privateKey, keyID };
}

export function anAuthority(options: IssueOptions = {}): Issued {
  return issue({ commonName: 'authority', isAuthority: true, ...options });
}

function extensionsOf(options: IssueOptions): Buffer[] {
  const { isAuthority = false, pathLengthMax, purposes, dnsNames = [] } = options;
  const constraints = [
    der.isTrue(),
    ...(pathLengthMax === undefined ? [] : [der.integer(Buffer.of(pathLengthMax))]),
  ];
  const names = dnsNames.map((each) => der.tagged(2, Buffer.from(each), 'primitive'));
  return [
    der.extension(
      der.objectIdentifier('2.5.29.19'),
      der.sequence(...(isAuthority ? constraints : [])),
      'critical',
    ),
    ...(purposes === undefined
      ? []
      : [
          der.extension(
            der.objectIdentifier('2.5.29.37'),
            der.sequence(...purposes.map(der.objectIdentifier)),
          ),
        ]),
    ...(options.keyUsage === undefined
      ? []
      : [
          der.extension(
            der.objectIdentifier('2.5.29.15'),
            der.bitString(Buffer.of(options.keyUsage), 0),
            'critical',
          ),
        ]),
    ...(names.length === 0
      ? []
      : [der.extension(der.objectIdentifier('2.5.29.17'), der.sequence(...names))]),
    ...(options.hasNameConstraints === true
      ? [
          der.extension(
            der.objectIdentifier('2.5.29.30'),
            der.sequence(
              der.tagged(0, der.sequence(der.tagged(2, Buffer.from('.example'), 'primitive'))),
            ),
          ),
        ]
      : []),
    ...(options.hasOddExtension === true
      ? [der.extension(der.objectIdentifier('1.2.3.4'), der.utf8String('odd'), 'critical')]
      : []),
  ];
}

function keyIDsOf({ hasKeyIDs = false }: IssueOptions, own: Buffer, issuer: Buffer): Buffer[] {
  if (!hasKeyIDs) return [];
  return [
    der.extension(der.objectIdentifier('2.5.29.14'), der.octetString(own)),
    der.extension(
      der.objectIdentifier('2.5.29.35'),
      der.sequence(der.tagged(0, issuer, 'primitive')),
    ),
  ];
}
