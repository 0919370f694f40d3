/** A kubeconfig with everything inside, so that the one text is all that anybody needs. */
import { stringify } from 'yaml';

export interface KubeconfigParts {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly user: string;
  readonly cert: string;
  readonly key: string;
}

export function kubeconfigOf({ server, ca, user, cert, key }: KubeconfigParts): string {
  const name = 'tandem-devcluster';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user } }],
    'current-context': name,
  });
}

function base64(pem: string): string {
  return Buffer.from(pem, 'utf8').toString('base64');
}
