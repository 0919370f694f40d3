/** From kubeconfig files to settings: reads and merges them and selects the context. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type NamedFile, unreadableFile } from '@tandem/runtime';
import { CredentialsError } from './credentials.ts';
import { type Kubeconfig, mergeKubeconfigs, parseKubeconfig } from './parse-kubeconfig.ts';
import { type Choice, selectContext } from './select-context.ts';
import type { ConnectionSettings } from './settings.ts';

export async function readKubeconfigs(
  files: readonly string[],
  { namedBy, ...choice }: Omit<Choice, 'files'> & Pick<NamedFile, 'namedBy'>,
): Promise<ConnectionSettings> {
  const merged = await readMerged(files, namedBy);
  const names = `kubeconfig ${files.join(', ')}`;
  const settings = selectContext(merged, { files: `The ${names}`, ...choice });
  const remedy = 'Renew the token, certificate or plug-in that it names.';
  return { ...settings, origin: { name: `the ${names}`, remedy } };
}

export async function readContextNames({
  files,
  namedBy,
}: {
  readonly files: readonly string[];
  readonly namedBy: string;
}): Promise<readonly string[]> {
  const { contexts } = await readMerged(files, namedBy);
  return [...contexts.keys()];
}

async function readMerged(files: readonly string[], namedBy: string): Promise<Kubeconfig> {
  const configs = await Promise.all(files.map((path) => readKubeconfig({ namedBy, path })));
  return mergeKubeconfigs(configs);
}

async function readKubeconfig(file: NamedFile): Promise<Kubeconfig> {
  return parseKubeconfig(await readText(file), resolve(file.path));
}

async function readText(file: NamedFile): Promise<string> {
  try {
    return await readFile(file.path, 'utf8');
  } catch (err) {
    throw new CredentialsError('KubeconfigMissing', { ...unreadableFile(err, file), cause: err });
  }
}
