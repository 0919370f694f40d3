/**
 * The files that serving reads and writes: certificates, keys and authorities. Behind a contract, so
 * that rotation can be tried in virtual time.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodeOf } from '@tandem/runtime';

export interface ServingFiles {
  /** The whole text. Rejects with the file system's error. */
  read(path: string): Promise<string>;
  /** Puts the file there in one step, directory included, readable as `mode` says. */
  write(path: string, text: string, mode: number): Promise<void>;
}

export const localFiles: ServingFiles = {
  read: (path) => readFile(path, 'utf8'),
  async write(path, text, mode) {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(`${path}.new`, text, { mode });
    await rename(`${path}.new`, path);
  },
};

/** Whether the error of a file system says that there is no such file. */
export function isMissing(err: unknown): boolean {
  return errorCodeOf(err) === 'ENOENT';
}

/** The short name of a system's error, such as `EACCES`, for messages. */
export function codeOf(err: unknown): string {
  return errorCodeOf(err) ?? 'unknown error';
}
