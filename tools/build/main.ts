/**
 * `npm run build`: bundles the programs that ship, one file each, with what is loaded on demand in
 * chunks beside them. Bundled, a program starts in half the time and takes less memory.
 */
import { chmod, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePrograms } from './bundle.ts';

const root = join(import.meta.dirname, '..', '..');

/** A folder that somebody names is written to, and never emptied. */
function readOutput(): string | undefined {
  try {
    const { values } = parseArgs({ options: { output: { type: 'string' } } });
    return values.output === undefined ? undefined : resolve(values.output);
  } catch (err) {
    const problem = err instanceof Error ? err.message : String(err);
    process.stderr.write(`error: ${problem}; npm run build takes only --output DIRECTORY\n`);
    process.exit(2);
  }
}

const named = readOutput();
const dist = join(root, 'dist');
if (named === undefined) await rm(dist, { recursive: true, force: true });
for (const file of await bundlePrograms({ root, output: named ?? dist })) {
  // The first line of each says how to run it.
  await chmod(file, 0o755);
}
