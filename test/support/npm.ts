/**
 * Notices that the npm process that runs this script has ended: npm does not pass on all signals that end it, and
 * SIGKILL never. Between npm and the script there may be a shell, which lives on, so that every ancestor up to npm is
 * checked. Only Linux shows more ancestors than the parent; elsewhere the parent has to do.
 */
import { readlinkSync } from 'node:fs';
import type { Environment } from '@tandem/runtime';
import { statFields } from './process-state.ts';

/** Returns a function that tells whether npm still runs. npm must run when this is called. */
export function watchNpm(environment: Environment): () => boolean {
  const parent = process.ppid;
  const ancestors = ancestorsUpToNpm(parent, environment['npm_node_execpath']);
  return () =>
    process.ppid === parent &&
    ancestors.every((pid, index) => index === 0 || parentOf(ancestors[index - 1]) === pid);
}

/** The ancestors from the parent up to npm; only the parent where npm is not found. */
function ancestorsUpToNpm(parent: number, npmProgram: string | undefined): number[] {
  const ancestors: number[] = [];
  let current: number | undefined = parent;
  while (current !== undefined && ancestors.length < ancestorsMax) {
    ancestors.push(current);
    if (programOf(current) === npmProgram) return ancestors;
    current = parentOf(current);
  }
  // Further up are people's own shells, which may end and mean npm to go on.
  return [parent];
}

/** npm starts one shell; a script that calls another one through npm adds two. */
const ancestorsMax = 4;

function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}

function parentOf(pid: number | undefined): number | undefined {
  const parent = pid === undefined ? undefined : statFields(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}
