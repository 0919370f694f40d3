/**
 * Noticing that the npm which runs this script has ended: npm ends on signals that it does not pass on,
 * and of SIGKILL it hears nothing. Between npm and the script there may be a shell, which lives on then,
 * so that every link up to npm is looked at. Only Linux shows more than the first; elsewhere that has to do.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { Environment } from '@tandem/runtime';

/** Gives a question to ask again and again: is npm still there? It must be there when this is called. */
export function watchNpm(environment: Environment): () => boolean {
  const parent = process.ppid;
  const ancestors = ancestorsUpToNpm(parent, environment['npm_node_execpath']);
  return () =>
    process.ppid === parent &&
    ancestors.every((pid, index) => index === 0 || parentOf(ancestors[index - 1]) === pid);
}

/** The parent and those above it up to npm; the parent alone where npm is not found. */
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

/** The field behind the state, counted from the name, which may hold blanks and brackets. */
function parentOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
