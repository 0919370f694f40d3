/**
 * Builds programs with Go into the cache. A program is moved to its place only when it is complete, by
 * one rename, so that a build which is killed leaves nothing that looks finished; and builds take turns,
 * so that two test runs that start at once do the work once.
 */
import { access, constants, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, systemClock } from '@tandem/runtime';
import { keepText } from '../log.ts';
import { DirectoryError, makeDirectory } from '../make-directory.ts';
import { findGo, runGo } from './go.ts';
import { LockError, withLock } from './lock.ts';
import { isExecutable } from './on-path.ts';
import type { Program, Recipe } from './recipe.ts';
import { unavailable } from './unavailable.ts';

/** Where text for people goes: standard error, or what a test collects. */
export interface Sink {
  write(text: string): unknown;
}

interface Building {
  readonly environment: Environment;
  readonly sink: Sink;
  readonly recipe: Recipe;
  /** The cache directory that the programs end up in. */
  readonly directory: string;
}

export async function buildPrograms(wanted: readonly Program[], building: Building): Promise<void> {
  const { directory, recipe } = building;
  const go = await findGo(recipe, building.environment);
  try {
    makeDirectory(directory, 0o777);
    await access(directory, constants.W_OK | constants.X_OK);
    await buildInTurn(wanted, { ...building, go });
  } catch (err) {
    if (!isRefusal(err)) throw err;
    throw unavailable(`The cache ${directory} cannot be written to: ${err.message}.`, {
      recipe,
      fix: 'set XDG_CACHE_HOME to a directory that you may write to',
      cause: err,
    });
  }
}

interface Job extends Building {
  readonly go: { readonly file: string; readonly version: string };
}

async function buildInTurn(wanted: readonly Program[], job: Job): Promise<void> {
  const { directory, sink } = job;
  const onWait = (holder: string): void =>
    void sink.write(`Waiting for ${holder}, which is building the same programs.\n`);
  await withLock({ directory, clock: systemClock, onWait }, async () => {
    // Whoever held the lock before may have built them.
    const missing = wanted.filter((program) => !isExecutable(join(directory, program)));
    if (missing.length > 0) await build(missing, job);
  });
}

async function build(wanted: readonly Program[], job: Job): Promise<void> {
  const { recipe, sink, directory } = job;
  const names = wanted.map((program) => `${program} ${recipe.versions[program]}`).join(', ');
  sink.write(`Building ${names} with ${job.go.version}, once, into ${directory}.\n`);
  sink.write('This takes about five minutes on two cores, and a download the first time.\n');
  const packages = wanted.map((program) => recipe.packages[program]);
  const scratch = await makeScratch(directory);
  try {
    await compile(packages, { ...job, scratch });
    await moveIntoPlace(wanted, { ...job, scratch });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  sink.write(`Built ${names}.\n`);
}

/** Go downloads what is missing of the modules first. */
async function compile(
  packages: readonly string[],
  { go, recipe, environment, scratch }: Job & { readonly scratch: string },
): Promise<void> {
  const flags = ['-ldflags', recipe.linkerFlags, '-o', `${scratch}/`];
  const args = ['build', ...flags, ...packages];
  const result = await runGo({ file: go.file, recipe, environment, args });
  if (result.succeeded) return;
  const words = result.transcript.split('\n').slice(-lastLineCount).join('\n  ');
  throw unavailable(`go build failed:\n  ${words}`, {
    recipe,
    fix: 'do what Go says (it needs the network once, and some GB of disk)',
    // Where there is no room for the log, Go's last words still tell more than that.
    logFile: await keepText('go.log', result.transcript).catch(() => undefined),
  });
}

/** Moves the programs from where they were built, all or none. */
async function moveIntoPlace(
  wanted: readonly Program[],
  { go, recipe, directory, scratch }: Job & { readonly scratch: string },
): Promise<void> {
  const built = (program: Program): string => join(scratch, recipe.builtNames[program]);
  const unbuilt = wanted.filter((program) => !isExecutable(built(program)));
  if (unbuilt.length > 0) {
    const problem = `${go.file} build ended well and yet built no ${unbuilt.join(' and no ')}.`;
    throw unavailable(problem, { recipe, fix: `check what ${go.file} is` });
  }
  for (const program of wanted) await rename(built(program), join(directory, program));
}

/** Whether the file system said no. Anything else is explained already, or a mistake of ours. */
function isRefusal(err: unknown): err is Error {
  if (err instanceof LockError || err instanceof DirectoryError) return true;
  return err instanceof Error && 'errno' in err;
}

/** A new directory on the cache's file system. Those of builds that were killed go first. */
async function makeScratch(directory: string): Promise<string> {
  const left = (await readdir(directory)).filter((name) => name.startsWith(scratchPrefix));
  for (const name of left) await rm(join(directory, name), { recursive: true, force: true });
  return mkdtemp(join(directory, scratchPrefix));
}

const scratchPrefix = 'building-';

/** Enough for Go's own summary; the log has the rest. */
const lastLineCount = 5;
