/**
 * Miniature trees for the tests of `npm test` and `npm run check`: a few files in a temporary folder, on which tests
 * run the real program.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { CapturedProcess } from '../support/process/index.ts';

export interface Miniature extends AsyncDisposable {
  readonly root: string;
}

/** Writes the files, by their path, and removes them on disposal. */
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

export async function runProgram({ entry, args, cwd, signal }: Program): Promise<ProgramRun> {
  const script = join(import.meta.dirname, '..', entry);
  const running = new CapturedProcess([process.execPath, script, ...args], {
    environment: systemEnvironment(),
    ...(cwd !== undefined && { directory: cwd }),
  });
  if (signal !== undefined) {
    await running.prints(new RegExp(signal.after));
    running.child.kill(signal.name);
  }
  const { code } = await running.exited;
  const output = stripVTControlCharacters(`${running.stderr}${running.stdout}`);
  return { exitCode: code, output, lastLine: output.trimEnd().split('\n').at(-1) ?? '' };
}
