/** Kubeconfigs as files without references to other files. */
import { writeFile } from 'node:fs/promises';
import { kubeconfigOf } from '@tandem/devcluster/kubeconfig';
import type { Credentials } from './request.ts';

/** Writes a kubeconfig that only its owner can read, because it contains a private key. */
export async function writeKubeconfig(
  path: string,
  user: string,
  { server, ca, cert = '', key = '' }: Credentials,
): Promise<void> {
  const text = kubeconfigOf({ name: 'tandem', server, ca, user, credentials: { cert, key } });
  await writeFile(path, text, { mode: 0o600 });
}
