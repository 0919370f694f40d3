/**
 * Making a directory and what is missing above it, one level after the other. Node's own `recursive`
 * never returns where a file system has no room for new directories, as below `/proc`: the level cannot
 * be made, the one above is there, so it tries again, for ever and deaf to signals.
 */
import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes what is missing and gives the directories made, the outermost first. Throws what stands against
 * it, having removed what it made on the way.
 */
export function makeDirectory(path: string, mode: number): string[] {
  const made: string[] = [];
  for (const level of missingLevels(path)) {
    try {
      mkdirSync(level, { mode });
      made.push(level);
    } catch (err) {
      // Another process may have made the same one in between, and it is not ours then.
      if (isDirectory(level)) continue;
      made.toReversed().forEach(removeIfEmpty);
      const code = err instanceof Error && 'code' in err ? ` (${String(err.code)})` : '';
      throw new Error(`no directory can be made in ${dirname(level)}${code}`, { cause: err });
    }
  }
  return made;
}

/** Removes a directory that nothing is in, and says whether it has. */
export function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The path and its parents up to the first that is there, the outermost first. */
function missingLevels(path: string): string[] {
  const missing: string[] = [];
  let current = path;
  for (; !existsSync(current); current = dirname(current)) missing.unshift(current);
  if (!isDirectory(current)) throw new Error(`${current} is not a directory`);
  return missing;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
