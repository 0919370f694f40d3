/** Kubeconfigs as files that can be copied anywhere on the machine. */
import { writeFile } from 'node:fs/promises';
import { kubeconfigOf } from '@tandem/devcluster/kubeconfig';
import type { Credentials } from './request.ts';

/** Writes a kubeconfig, readable by its owner only: it holds a private key. */
export async function writeKubeconfig(
  path: string,
  user: string,
  { server, ca, cert = '', key = '' }: Credentials,
): Promise<void> {
  const text = kubeconfigOf({ name: 'tandem', server, ca, user, credentials: { cert, key } });
  await writeFile(path, text, { mode: 0o600 });
}
