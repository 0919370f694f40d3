/** One run of mocha as a process, and what is known of it afterwards, however it ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { systemClock, type Timer } from '@tandem/runtime';
import { type Counts, isCounts } from './reporter.ts';
import { isOf, type Suite } from './suites.ts';

const repository = join(import.meta.dirname, '..', '..');
const mochaProgram = join(repository, 'node_modules', 'mocha', 'bin', 'mocha.js');
/** A process that has run all of its tests has nothing left to do that takes longer than this. */
const lingerMsMax = 30_000;
const running = new Set<ChildProcess>();

/** Has all runs end early. */
export function interruptRuns(): void {
  // Mocha then ends the test that runs, and lets hooks clean up.
  for (const mocha of running) mocha.kill('SIGINT');
}

/** Runs what some of the files want to be run first. Where it fails, they fail or say why they cannot run. */
export async function runFirst({ first }: Suite, files: readonly string[]): Promise<void> {
  if (first === undefined || !files.some((file) => isOf(file, first.files))) return;
  const program = spawn(process.execPath, [first.program], { stdio: 'inherit' });
  running.add(program);
  await new Promise((ended) => program.once('error', ended).once('close', ended));
  running.delete(program);
}

export interface Outcome extends Omit<Counts, 'files'> {
  /** A failure that no test tells of. */
  readonly problem?: string;
}

/** One run of mocha. What it leaves unsaid counts as failed. */
export async function runMocha(
  suite: Suite,
  files: readonly string[],
  options: readonly string[],
): Promise<Outcome> {
  const isParallel = suite.together === undefined && files.length > 1;
  const args = [
    mochaProgram,
    `--config=${join(repository, '.mocharc.json')}`,
    `--require=${join(import.meta.dirname, 'root-hooks.ts')}`,
    ...(suite.tripwire ? [`--require=${join(import.meta.dirname, 'tripwire.ts')}`] : []),
    `--reporter=${join(import.meta.dirname, 'reporter.ts')}`,
    `--timeout=${suite.timeoutMs}`,
    `--slow=${suite.slowMs}`,
    ...(isParallel ? ['--parallel', '--jobs=2'] : []),
    ...options,
    ...files,
  ];
  const mocha = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  running.add(mocha);
  let counts: Counts | undefined;
  let lingers: Timer | undefined;
  mocha.once('message', (message) => {
    if (isCounts(message)) counts = message;
    lingers = systemClock.after(lingerMsMax, () => mocha.kill('SIGKILL'));
  });
  const exit = await new Promise<number | NodeJS.Signals>((ended, reject) => {
    mocha.once('error', reject);
    mocha.once('close', (code, signal) => ended(code ?? signal ?? 1));
  });
  lingers?.cancel();
  running.delete(mocha);
  const isNarrowed = options.some((option) => option.startsWith('--grep='));
  const problem = (isNarrowed ? undefined : lost(files, counts)) ?? problemOf(suite, exit, counts);
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  return problem === undefined
    ? { passed, failed, skipped }
    : { passed, failed: failed + 1, skipped, problem };
}

/** Files that declare no test. Where something failed, a file may have ended before its first test. */
function lost(files: readonly string[], counts: Counts | undefined): string | undefined {
  if (counts === undefined || counts.failed > 0) return undefined;
  const empty = files.filter((file) => !counts.files.includes(resolve(file)));
  return empty.length === 0 ? undefined : `No test is declared in ${empty.join(', ')}.`;
}

function problemOf(
  { name }: Suite,
  exit: number | NodeJS.Signals,
  counts: Counts | undefined,
): string | undefined {
  if (counts === undefined) return `Mocha ended with ${exit} before the ${name} suite did.`;
  if (exit === 'SIGKILL') return `A test of the ${name} suite leaves something open. Close it.`;
  const isExplained = exit === 0 || counts.failed > 0;
  return isExplained ? undefined : `Mocha ended with ${exit} after the ${name} suite.`;
}
