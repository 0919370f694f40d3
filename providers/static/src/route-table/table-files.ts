/** The part of a file system that the route table needs, as a port, so that tests can kill a manager between calls. */
import { open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { type FileSystem, nodeFileSystem } from '../file-system.ts';

export interface TableFiles extends Pick<FileSystem, 'read'> {
  /** Returns the path without symbolic links. Rejects if nothing is there. */
  follow(path: string): Promise<string>;
  /** The names in a folder. */
  names(folder: string): Promise<readonly string[]>;
  /** Creates a file with mode 0644. Resolves when its bytes are on disk. Rejects if the file exists. */
  create(path: string, text: string): Promise<void>;
  /** Replaces a file with another atomically: readers see either the one or the other. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, if it is still there. */
  remove(path: string): Promise<void>;
}

export const nodeTableFiles: TableFiles = {
  read: (path, bytesMax) => nodeFileSystem.read(path, bytesMax),
  follow: (path) => realpath(path),
  names: (folder) => readdir(folder),
  async create(path, text) {
    await using file = await open(path, 'wx');
    // Not subject to the umask, because routers read the file as another user.
    await file.chmod(0o644);
    await file.writeFile(text);
    await file.sync();
  },
  rename,
  remove: (path) => rm(path, { force: true }),
};

export function isMissing(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ENOENT';
}
