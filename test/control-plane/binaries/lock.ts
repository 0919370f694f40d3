/**
 * A lock between processes that a dead process cannot keep. It is the kernel's lock on a SQLite file:
 * it goes with its holder, however that ends, so that no process has to judge whether another one's
 * lock is stale (a process id in a file may by then be somebody else's).
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, sleep } from '@tandem/runtime';

interface Locking {
  readonly directory: string;
  readonly clock: Clock;
  /** Called once when another process has the lock, with its id if that is known. */
  readonly onWait: (holder: string) => void;
}

/** The lock could not be had; its message says why. */
export class LockError extends Error {
  override readonly name = 'LockError';
}

/** Runs `work` while no other process runs any under the same directory's lock. */
export async function withLock<Result>(
  locking: Locking,
  work: () => Promise<Result>,
): Promise<Result> {
  const holderFile = join(locking.directory, 'lock-holder');
  const database = open(join(locking.directory, 'lock'));
  try {
    await acquire(database, holderFile, locking);
    writeFileSync(holderFile, String(process.pid));
    try {
      return await work();
    } finally {
      rmSync(holderFile, { force: true });
    }
  } finally {
    database.close();
  }
}

function open(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (err) {
    throw new LockError(`the lock ${file} cannot be opened`, { cause: err });
  }
}

async function acquire(
  database: DatabaseSync,
  holderFile: string,
  { clock, onWait }: Locking,
): Promise<void> {
  const deadline = clock.monotonic() + waitMsMax;
  for (let hasSaid = false; !tryLock(database); hasSaid = true) {
    const holder = readHolder(holderFile);
    if (!hasSaid) onWait(holder);
    if (clock.monotonic() > deadline) {
      throw new LockError(`${holder} has had its lock for ${waitMsMax / 60_000} minutes`);
    }
    await sleep(clock, pollMs);
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (err) {
    const isBusy = err instanceof Error && 'errcode' in err && err.errcode === sqliteBusy;
    if (isBusy) return false;
    throw new LockError('its lock cannot be taken', { cause: err });
  }
}

function readHolder(holderFile: string): string {
  try {
    return `process ${readFileSync(holderFile, 'utf8')}`;
  } catch {
    return 'another process';
  }
}

const sqliteBusy = 5;

const pollMs = 250;

/** Longer than a build takes on one slow core. */
const waitMsMax = 45 * 60_000;
