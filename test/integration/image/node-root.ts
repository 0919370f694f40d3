/** A base for images without any registry: a root directory of the npm package `node` and its libraries. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export async function makeNodeRoot(root: string): Promise<void> {
  const place = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await copyFile(from, join(root, to));
  };
  await place(process.execPath, '/usr/local/bin/node');
  const { stdout } = await promisify(execFile)('ldd', [process.execPath]);
  // Each line has one absolute path: of a library, or of the loader.
  for (const [library] of stdout.matchAll(/\/\S+/g)) await place(library, library);
}
