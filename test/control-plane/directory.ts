/**
 * The directory of a control plane, from claim to release. A temporary directory is removed whole. In a directory
 * that a person named, only the entries of the layout are removed: it stays if it contains other files. All of this
 * also happens when this process dies.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bequeathRemoval } from '../support/process/index.ts';
import { ControlPlaneError } from './errors.ts';
import { entries } from './layout.ts';

export interface ClaimedDirectory {
  readonly path: string;
  /** Removes what the control plane made. Harmless when done twice. */
  release(): void;
}

/** Creates the directory, or checks that it is empty and writable. Without a name, it creates a temporary one. */
export function claimDirectory(named: string | undefined): ClaimedDirectory {
  if (named === undefined) {
    const path = mkdtempSync(join(realpathSync(tmpdir()), 'tandem-control-plane-'));
    return claimed({ path, ours: [path], made: [] });
  }
  try {
    const isNew = !existsSync(named);
    if (isNew) mkdirSync(named, { mode: 0o700 });
    const path = realpathSync(named);
    accessSync(path, constants.W_OK);
    const found = readdirSync(path);
    if (found.length > 0) {
      throw new Error(`${named} is not empty, it has ${found.slice(0, 3).join(', ')}`);
    }
    const ours = entries.map((entry) => join(path, entry));
    return claimed({ path, ours, made: isNew ? [path] : [] });
  } catch (err) {
    throw refused(err);
  }
}

function claimed(claim: {
  readonly path: string;
  readonly ours: readonly string[];
  /** Directories to remove as well, if they are empty. */
  readonly made: readonly string[];
}): ClaimedDirectory {
  const { path, ours, made } = claim;
  const bequest = bequeathRemoval(ours, made);
  return {
    path,
    release() {
      // Retries cover file systems that still show a file of a process that has just ended.
      for (const each of ours) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
      for (const each of made) removeIfEmpty(each);
      bequest[Symbol.dispose]();
    },
  };
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another program has put something into it, or it is gone already.
  }
}

function refused(err: unknown): ControlPlaneError {
  const reason = err instanceof Error ? err.message : String(err);
  return new ControlPlaneError('DirectoryUnusable', {
    problem: `The directory cannot be used: ${reason}.`,
    fix: 'name an empty or a new directory that you may write to, or none for a temporary one.',
    cause: err,
  });
}
