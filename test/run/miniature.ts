/**
 * Miniature trees for the tests of `npm test` and `npm run check`: a few files in a folder of
 * their own, on which the real program is run as a person would run it.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Miniature extends AsyncDisposable {
  readonly root: string;
}

/** Writes the files, by their path; they are gone when the miniature is disposed. */
export async function aMiniature(files: Readonly<Record<string, string>>): Promise<Miniature> {
  const root = await mkdtemp(join(tmpdir(), 'tandem-miniature-'));
  const all = { 'package.json': '{ "type": "module" }', ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

export interface ProgramRun {
  readonly exitCode: number | null;
  /** What it printed, without colours. */
  readonly output: string;
  readonly lastLine: string;
}

export interface Program {
  /** The entry, relative to `test/`. */
  readonly entry: 'run/main.ts' | 'check/main.ts';
  readonly args: readonly string[];
  /** The folder that it is started in; by default this repository. */
  readonly cwd?: string;
  /** Sent once, as soon as this text is printed. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly after: string };
}

export function runProgram({ entry, args, cwd, signal }: Program): Promise<ProgramRun> {
  const script = join(import.meta.dirname, '..', entry);
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let raw = '';
  let isSignalled = false;
  const take = (chunk: Buffer): void => {
    raw += chunk.toString();
    if (signal === undefined || isSignalled || !raw.includes(signal.after)) return;
    isSignalled = child.kill(signal.name);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => {
      const output = stripVTControlCharacters(raw);
      resolve({ exitCode, output, lastLine: output.trimEnd().split('\n').at(-1) ?? '' });
    });
  });
}
