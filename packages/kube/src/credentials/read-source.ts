/**
 * The text of a source, read now. A file that cannot be read is named together with the field that
 * names it.
 */
import { readFile } from 'node:fs/promises';
import { errorCodeOf } from '@tandem/runtime';
import { CredentialsError, type CredentialsErrorCode } from './credentials.ts';
import type { Source } from './settings.ts';

export async function readSource(source: Source, code: CredentialsErrorCode): Promise<string> {
  if (source.kind === 'inline') return source.text;
  try {
    return await readFile(source.path, 'utf8');
  } catch (err) {
    throw new CredentialsError(code, {
      problem: `The file ${source.path}, named by ${source.where}, cannot be read (${reasonOf(err)}).`,
      fix: 'Check the path and the permissions of the file.',
      cause: err,
    });
  }
}

/** The name of a source for people: the field, and the file if there is one. */
export function nameOf(source: Source): string {
  return source.kind === 'file' ? `The file ${source.path} (${source.where})` : source.where;
}

export function reasonOf(err: unknown): string {
  return errorCodeOf(err) ?? 'unknown reason';
}
