/** The program under test: what ships, built by what builds it for people. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');

/** Builds into a directory, and gives the path of the program. */
export async function buildManager(output: string): Promise<string> {
  const tool = join(root, 'tools', 'build', 'main.ts');
  await promisify(execFile)(process.execPath, [tool, '--output', output]);
  return join(output, 'cloud-controller-manager.js');
}
