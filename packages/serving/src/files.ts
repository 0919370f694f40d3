/**
 * Reads and writes the files of the secure port: certificates, keys and authorities. It is a port, so that tests can
 * rotate files in virtual time.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodeOf } from '@tandem/runtime';

export interface ServingFiles {
  /** The whole text. Rejects with the file system's error. */
  read(path: string): Promise<string>;
  /** Writes the file atomically with the given mode, and creates its directory. */
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

/** Returns whether the error means that there is no such file. */
export function isMissing(err: unknown): boolean {
  return errorCodeOf(err) === 'ENOENT';
}

/** Returns the code of a system error, such as `EACCES`, for messages. */
export function codeOf(err: unknown): string {
  return errorCodeOf(err) ?? 'unknown error';
}
