/** The little that is needed of a file system, as a port: tests change files without writing any. */
import { open, stat } from 'node:fs/promises';

export interface FileSystem {
  /**
   * A text that is another one after every change of what the path leads to, the swap of a symbolic
   * link on the way (as kubelet updates a ConfigMap) included. Rejects when there is no file.
   */
  version(path: string): Promise<string>;
  /** The whole text, or nothing when it is longer than `bytesMax`: then no more is read. */
  read(path: string, bytesMax: number): Promise<string | undefined>;
}

export const nodeFileSystem: FileSystem = {
  async version(path) {
    // It follows links, so that another target shows as another inode.
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  },
  async read(path, bytesMax) {
    await using file = await open(path);
    // A pipe or a device has no size, so what counts is what comes.
    const buffer = Buffer.alloc(Math.min(bytesMax, (await file.stat()).size) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0) return buffer.toString('utf8', 0, length);
      if (length === buffer.length) return undefined;
    }
  },
};
