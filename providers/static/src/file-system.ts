/** The part of a file system that the inventory needs, as a port, so that tests need no real files. */
import { open, stat } from 'node:fs/promises';

export interface FileSystem {
  /**
   * Returns a text that differs after every change of the file that the path leads to, including a swap of a symbolic
   * link in the path, which is how the kubelet updates a ConfigMap. Rejects if there is no file.
   */
  version(path: string): Promise<string>;
  /** Returns the whole text; undefined if it is longer than `bytesMax`, which ends the reading. */
  read(path: string, bytesMax: number): Promise<string | undefined>;
}

export const nodeFileSystem: FileSystem = {
  async version(path) {
    // `stat` follows links, so a swapped link shows as another inode.
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  },
  async read(path, bytesMax) {
    await using file = await open(path);
    // A pipe or a device has no size, so only the bytes that arrive count.
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
