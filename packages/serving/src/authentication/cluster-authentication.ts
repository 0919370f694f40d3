/**
 * Reads the ConfigMap `kube-system/extension-apiserver-authentication`, in which the API server publishes how components
 * authenticate clients: authorities and header names. Messages about an unreadable map never quote it.
 */
import { type ObjectFacts, type ObjectReader, DecodeError } from '@tandem/kube/codec';
import type { Resource } from '@tandem/kube/client';
import { isRecord } from '@tandem/runtime';
import { AuthorityPool } from '../certificates/authority-pool.ts';
import { readCertificates } from '../certificates/pem.ts';
import type { ProxyTrust, Trust } from './authenticator.ts';

export const authenticationConfigMap: Resource & { readonly name: string } = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace: 'kube-system',
  name: 'extension-apiserver-authentication',
};

export interface ConfigMapFacts extends ObjectFacts {
  readonly data: Readonly<Record<string, string>>;
}

export const configMapReader: ObjectReader<ConfigMapFacts> = {
  fromJson: readConfigMap,
  fromProtobuf: undefined,
};

export function readConfigMap(value: unknown): ConfigMapFacts {
  const metadata = isRecord(value) ? value['metadata'] : undefined;
  if (!isRecord(value) || !isRecord(metadata)) throw new DecodeError('Not a ConfigMap');
  const { name, namespace, uid, resourceVersion } = metadata;
  if (
    typeof name !== 'string' ||
    typeof namespace !== 'string' ||
    typeof uid !== 'string' ||
    typeof resourceVersion !== 'string'
  ) {
    throw new DecodeError('The ConfigMap has no name, namespace, uid or resourceVersion');
  }
  const data = isRecord(value['data']) ? value['data'] : {};
  const texts = Object.entries(data).filter(
    (entry): entry is [string, string] => keys.has(entry[0]) && typeof entry[1] === 'string',
  );
  return { name, namespace, uid, resourceVersion, data: Object.fromEntries(texts) };
}

const keys: ReadonlySet<string> = new Set([
  'client-ca-file',
  'requestheader-client-ca-file',
  'requestheader-username-headers',
  'requestheader-group-headers',
  'requestheader-uid-headers',
  'requestheader-extra-headers-prefix',
  'requestheader-allowed-names',
]);

type TrustReading =
  | { readonly kind: 'trust'; readonly trust: Trust }
  /** The key that cannot be read, and why. */
  | { readonly kind: 'problem'; readonly problem: string };

export function trustIn(data: Readonly<Record<string, string>>): TrustReading {
  try {
    const clients = poolAt(data, 'client-ca-file');
    return { kind: 'trust', trust: { clients, proxies: proxiesIn(data) } };
  } catch (err) {
    if (err instanceof DecodeError) return { kind: 'problem', problem: err.message };
    throw err;
  }
}

function proxiesIn(data: Readonly<Record<string, string>>): ProxyTrust | undefined {
  const pool = poolAt(data, 'requestheader-client-ca-file');
  if (pool === undefined) return undefined;
  return {
    pool,
    allowedNames: listAt(data, 'requestheader-allowed-names'),
    usernameHeaders: namesAt(data, 'requestheader-username-headers'),
    groupHeaders: namesAt(data, 'requestheader-group-headers'),
    uidHeaders: namesAt(data, 'requestheader-uid-headers'),
    extraHeaderPrefixes: namesAt(data, 'requestheader-extra-headers-prefix'),
  };
}

function poolAt(data: Readonly<Record<string, string>>, key: string): AuthorityPool | undefined {
  const text = data[key] ?? '';
  if (text.trim() === '') return undefined;
  const certificates = readCertificates(text);
  if (certificates === undefined) throw new DecodeError(`${key} has no readable certificates`);
  return new AuthorityPool(certificates);
}

function listAt(data: Readonly<Record<string, string>>, key: string): readonly string[] {
  const text = data[key] ?? '';
  if (text === '') return [];
  const list = parsed(text);
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
    throw new DecodeError(`${key} is not a JSON list of strings`);
  }
  return list;
}

/** Leaves out empty texts: with an empty prefix, every header would be an extra attribute. */
function namesAt(data: Readonly<Record<string, string>>, key: string): readonly string[] {
  return listAt(data, key)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Hides the parser's error, which would quote the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
