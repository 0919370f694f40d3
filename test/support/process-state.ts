/** The state of a process, as far as Linux shows it. */
import { readFileSync } from 'node:fs';

/** Whether a process runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Where the first process of a container reaps nothing, orphans stay in the table after their end.
  return stateOf(pid) !== 'Z';
}

/** Whether a signal has stopped the process. */
export function isPaused(pid: number): boolean {
  return stateOf(pid) === 'T';
}

/** One letter; undefined where the process is gone, or the kernel does not tell. */
export function stateOf(pid: number): string | undefined {
  return statFields(pid)?.[0];
}

/** The fields of `/proc/PID/stat` behind the name, from the state on; undefined where there is no such file. */
export function statFields(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may have any character, also blanks, but ends with the last bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
