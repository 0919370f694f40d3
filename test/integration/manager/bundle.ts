/** The program under test: the bundle that ships, from its usual build. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');

/** Builds into a directory, and returns the path of the program. */
async function buildManager(output: string): Promise<string> {
  const tool = join(root, 'tools', 'build', 'main.ts');
  await promisify(execFile)(process.execPath, [tool, '--output', output]);
  return join(output, 'cloud-controller-manager.js');
}

let shared: Promise<string> | undefined;

/** The path of the program, which is built once for all files of a process and removed at its end. */
export function sharedBundle(rootSuite: Mocha.Suite): Promise<string> {
  if (shared !== undefined) return shared;
  const directory = mkdtemp(join(tmpdir(), 'tandem-program-'));
  rootSuite.afterAll('removes the program', async () =>
    rm(await directory, { recursive: true, force: true }),
  );
  shared = directory.then(buildManager);
  return shared;
}
