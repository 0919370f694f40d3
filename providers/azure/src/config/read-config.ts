/** Reads the file that `--cloud-config` names. */
import { readFile } from 'node:fs/promises';
import { quote } from '@tandem/core/node-address';
import { type Environment, unreadableFile } from '@tandem/runtime';
import { AzureError } from '../failure.ts';
import { type AzureSettings, readSettings } from './settings.ts';

export async function readConfig(options: {
  readonly path: string | undefined;
  readonly environment: Environment;
}): Promise<AzureSettings> {
  const { path, environment } = options;
  if (path === undefined) {
    throw invalid('--cloud-provider=azure needs --cloud-config with the path of an azure.json');
  }
  const read = readSettings(await readText('--cloud-config', path), environment);
  if (read.kind === 'invalid') {
    throw invalid(`--cloud-config ${quote(path)} is invalid: ${read.problems.join('; ')}`);
  }
  return read.settings;
}

/** Reads a text file. `namedBy` is the flag, field or variable that names the file. */
export async function readText(namedBy: string, path: string): Promise<string> {
  return (await readBytes(namedBy, path)).toString('utf8');
}

export async function readBytes(namedBy: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (err) {
    const { problem, fix } = unreadableFile(err, { namedBy, path });
    throw invalid(`${problem} ${fix}`);
  }
}

export function invalid(message: string): AzureError {
  return new AzureError('AzureConfigInvalid', message, { retry: 'never' });
}
