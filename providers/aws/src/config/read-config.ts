/** Reads the file that `--cloud-config` names. None is needed: everything has a default or can be found out. */
import { readFile } from 'node:fs/promises';
import { printable, quote } from '@tandem/core/node-address';
import type { Logger } from '@tandem/runtime';
import { AWSError } from '../failure.ts';
import { type AWSSettings, readSettings } from './settings.ts';
import { SettingsProblem } from './values.ts';

export async function readConfig(path: string | undefined, logger: Logger): Promise<AWSSettings> {
  if (path === undefined) return readSettings('');
  const settings = settingsOf(path, await readText(path));
  const { unknownKeys } = settings;
  if (unknownKeys.length > 0) {
    logger.warn({ path, unknownKeys }, 'Ignored unknown keys in the cloud config');
  }
  return settings;
}

function settingsOf(path: string, text: string): AWSSettings {
  try {
    return readSettings(text);
  } catch (err) {
    if (!(err instanceof SettingsProblem)) throw err;
    throw invalid(`--cloud-config ${quote(path)} is invalid: ${err.message}`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (err) {
    const reason = err instanceof Error ? printable(err.message, 200) : 'unknown reason';
    throw invalid(`--cloud-config ${quote(path)} cannot be read: ${reason}`);
  }
}

function invalid(message: string): AWSError {
  return new AWSError('AWSConfigInvalid', message, { retry: 'never' });
}
