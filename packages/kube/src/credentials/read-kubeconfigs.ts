/** From kubeconfig files to settings: reads and merges them and selects the context. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type NamedFile, unreadableFile } from '@tandem/runtime';
import { CredentialsError } from './credentials.ts';
import { type Kubeconfig, mergeKubeconfigs, parseKubeconfig } from './parse-kubeconfig.ts';
import { type Choice, selectContext } from './select-context.ts';
import type { ConnectionSettings } from './settings.ts';

export interface FoundKubeconfigs {
  readonly files: readonly string[];
  /** The flag or variable that names them, for errors. */
  readonly namedBy: string;
}

export async function readKubeconfigs(
  found: FoundKubeconfigs,
  choice: Omit<Choice, 'files'>,
): Promise<ConnectionSettings> {
  const names = `kubeconfig ${found.files.join(', ')}`;
  const settings = selectContext(await readMerged(found), { files: `The ${names}`, ...choice });
  const remedy = 'Renew the token, certificate or plug-in that it names.';
  return { ...settings, origin: { name: `the ${names}`, remedy } };
}

export async function readContextNames(found: FoundKubeconfigs): Promise<readonly string[]> {
  const { contexts } = await readMerged(found);
  return [...contexts.keys()];
}

async function readMerged({ files, namedBy }: FoundKubeconfigs): Promise<Kubeconfig> {
  const configs = files.map(async (path) =>
    parseKubeconfig(await readText({ namedBy, path }), resolve(path)),
  );
  return mergeKubeconfigs(await Promise.all(configs));
}

async function readText(file: NamedFile): Promise<string> {
  try {
    return await readFile(file.path, 'utf8');
  } catch (err) {
    throw new CredentialsError('KubeconfigMissing', { ...unreadableFile(err, file), cause: err });
  }
}
