/** A kubeconfig that contains its certificates and keys and refers to no other file. */
import { stringify } from 'yaml';

interface KubeconfigParts {
  /** The name of the cluster and the context. */
  readonly name: string;
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly user: string;
  readonly credentials:
    | { readonly cert: string; readonly key: string }
    | { readonly token: string };
}

export function kubeconfigOf({ name, server, ca, user, credentials }: KubeconfigParts): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: user, user: userOf(credentials) }],
    contexts: [{ name, context: { cluster: name, user } }],
    'current-context': name,
  });
}

function userOf(credentials: KubeconfigParts['credentials']): Readonly<Record<string, string>> {
  if ('token' in credentials) return credentials;
  const { cert, key } = credentials;
  return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
}

function base64(pem: string): string {
  return Buffer.from(pem, 'utf8').toString('base64');
}
