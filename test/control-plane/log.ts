/**
 * The log of a failed server: its last lines for the error, and a copy outside of the directory that is about to be
 * removed.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Copies a log to where it outlives its control plane. Undefined if the log is gone already. */
export async function keepLog(logFile: string): Promise<string | undefined> {
  const text = await readFile(logFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'tandem-failed-'));
  const kept = join(directory, basename(logFile));
  await writeFile(kept, text);
  return kept;
}

export async function lastLines(logFile: string, count: number): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => `  ${line.slice(0, lineLengthMax)}`)
    .join('\n')
    .trimEnd();
}

/** A line of etcd's log can be a page long; the copy has all of it. */
const lineLengthMax = 300;

/** Removes the copy of a log whose error is not reported. */
export async function discardLog(logFile: string | undefined): Promise<void> {
  if (logFile !== undefined) await rm(dirname(logFile), { recursive: true, force: true });
}
