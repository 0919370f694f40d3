/** What a process is doing, as far as Linux tells. */
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

/** Whether a process is stopped by a signal. */
export function isPaused(pid: number): boolean {
  return stateOf(pid) === 'T';
}

/** One letter; undefined where the process is gone, or the kernel does not tell. */
export function stateOf(pid: number): string | undefined {
  try {
    // The name before the state may have any character, but ends with the last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0];
  } catch {
    return undefined;
  }
}
