/**
 * From kubeconfig files to settings: read, merge, choose the context.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CredentialsError } from './credentials.ts';
import { type Kubeconfig, mergeKubeconfigs, parseKubeconfig } from './parse-kubeconfig.ts';
import { reasonOf } from './read-source.ts';
import { type Choice, selectContext } from './select-context.ts';
import type { ConnectionSettings } from './settings.ts';

export async function readKubeconfigs(
  files: readonly string[],
  choice: Omit<Choice, 'files'>,
): Promise<ConnectionSettings> {
  const configs = await Promise.all(files.map(readKubeconfig));
  const names = `kubeconfig ${files.join(', ')}`;
  const settings = selectContext(mergeKubeconfigs(configs), { files: `The ${names}`, ...choice });
  const remedy = 'Renew the token, certificate or plug-in that it names.';
  return { ...settings, origin: { name: `the ${names}`, remedy } };
}

async function readKubeconfig(file: string): Promise<Kubeconfig> {
  return parseKubeconfig(await readText(file), resolve(file));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (err) {
    const reason = reasonOf(err);
    throw new CredentialsError('KubeconfigMissing', {
      problem:
        reason === 'ENOENT'
          ? `The kubeconfig ${file} does not exist.`
          : `The kubeconfig ${file} cannot be read (${reason}).`,
      fix: 'Check the path and the permissions of the file.',
      cause: err,
    });
  }
}
