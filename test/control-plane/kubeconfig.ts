/**
 * Kubeconfigs with everything inside, so that one file can be copied anywhere on the machine.
 */
import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { Credentials } from './request.ts';

/** Writes a kubeconfig, readable by its owner only: it holds a private key. */
export async function writeKubeconfig(
  path: string,
  user: string,
  credentials: Credentials,
): Promise<void> {
  await writeFile(path, kubeconfig(user, credentials), { mode: 0o600 });
}

function kubeconfig(user: string, { server, ca, cert = '', key = '' }: Credentials): string {
  const name = 'tandem';
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
