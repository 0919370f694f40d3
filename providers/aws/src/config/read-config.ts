/** Reads the file that `--cloud-config` names. The file is optional: every setting has a default or can be detected. */
import { readFile } from 'node:fs/promises';
import { quote } from '@tandem/core/node-address';
import { type Logger, unreadableFile } from '@tandem/runtime';
import { AWSError } from '../failure.ts';
import { type AWSSettings, readSettings } from './settings.ts';

export async function readConfig(path: string | undefined, logger: Logger): Promise<AWSSettings> {
  const text = path === undefined ? '' : await readText(path);
  const read = readSettings(text);
  if (read.kind === 'invalid') {
    const problems = read.problems.join('; ');
    throw invalid(`--cloud-config ${quote(path ?? '')} is invalid: ${problems}`);
  }
  const { unknownKeys } = read.settings;
  if (unknownKeys.length > 0) {
    logger.warn({ path, unknownKeys }, 'Ignored unknown keys in the cloud config');
  }
  return read.settings;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (err) {
    const { problem, fix } = unreadableFile(err, { namedBy: '--cloud-config', path });
    throw invalid(`${problem} ${fix}`);
  }
}

function invalid(message: string): AWSError {
  return new AWSError('AWSConfigInvalid', message, { retry: 'never' });
}
