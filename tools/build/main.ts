/**
 * `npm run build`: bundles the programs that ship, one file each, with chunks beside them that load on demand. A
 * bundled program starts in half the time and takes less memory.
 */
import { execFile } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundlePrograms } from './bundle.ts';
import { readOutput } from './output-option.ts';

const root = join(import.meta.dirname, '..', '..');

/** The commit of the checkout, marked if files differ from it; undefined outside a repository. */
async function checkedOut(): Promise<string | undefined> {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('git', ['-C', root, ...args])).stdout.trim();
  try {
    const commit = await git('rev-parse', 'HEAD');
    return (await git('status', '--porcelain')) === '' ? commit : `${commit}-dirty`;
  } catch {
    return undefined;
  }
}

/** The build writes to a folder that the user names, but never empties it. */
const named = readOutput({ command: 'npm run build', value: 'DIRECTORY' });
const dist = join(root, 'dist');
// The build of an image has no repository; its build argument arrives as a variable.
const commit = process.env['COMMIT'] ?? (await checkedOut());
if (named === undefined) await rm(dist, { recursive: true, force: true });
const { programs } = await bundlePrograms({ root, output: named ?? dist, commit });
for (const file of programs) {
  // The first line of each says how to run it.
  await chmod(file, 0o755);
}
