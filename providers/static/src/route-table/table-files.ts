/** What the route table needs of a file system, as a port: each call is a step that a kill can follow. */
import { open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { type FileSystem, nodeFileSystem } from '../file-system.ts';

export interface TableFiles extends Pick<FileSystem, 'read'> {
  /** Where the path leads, with links followed. Rejects when nothing is there. */
  follow(path: string): Promise<string>;
  /** The names in a folder. */
  names(folder: string): Promise<readonly string[]>;
  /** Makes a file that everybody may read. Its bytes are on disk when it resolves. */
  create(path: string, text: string): Promise<void>;
  /** Puts a file in the place of another, so that readers see either the one or the other. */
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
    // Whatever the umask is: routers read it as another user.
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
