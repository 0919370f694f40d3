/**
 * Builds programs with Go into the cache. A program is moved to its place only when it is complete, by
 * one rename, so that a build which is killed leaves nothing that looks finished; and builds take turns,
 * so that two test runs that start at once do the work once.
 */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Environment } from '@tandem/runtime';
import { keepText } from '../log.ts';
import { findGo, type GoRun, runGo } from './go.ts';
import { withLock } from './lock.ts';
import { isExecutable } from './on-path.ts';
import { Progress, type Sink } from './progress.ts';
import type { Program, Recipe } from './recipe.ts';
import { unavailable } from './unavailable.ts';

export interface Building {
  readonly environment: Environment;
  readonly sink: Sink;
  readonly clock: Clock;
  readonly recipe: Recipe;
  /** The cache directory that the programs end up in. */
  readonly directory: string;
}

export async function buildPrograms(wanted: readonly Program[], building: Building): Promise<void> {
  const { directory, clock, recipe } = building;
  const go = await findGo(recipe, building.environment);
  const progress = new Progress(building.sink, clock);
  await makeCache(building);
  const onWait = (holder: string): void =>
    progress.say(`Waiting for ${holder}, which is building the same programs.`);
  await withLock({ directory, clock, onWait }, async () => {
    // Whoever held the lock before may have built them.
    const missing = wanted.filter((program) => !isExecutable(join(directory, program)));
    if (missing.length > 0) await build(missing, { ...building, go, progress });
  });
}

interface Job extends Building {
  readonly go: { readonly file: string; readonly version: string };
  readonly progress: Progress;
}

async function build(wanted: readonly Program[], job: Job): Promise<void> {
  const { recipe, progress, directory } = job;
  const names = wanted.map((program) => `${program} ${recipe.versions[program]}`).join(', ');
  progress.say(`Building ${names} with ${job.go.version}, once, into ${directory}.`);
  progress.say('This takes about five minutes on two cores, and a download the first time.');

  const packages = wanted.map((program) => recipe.packages[program]);
  const packageCount = await fetchModules(packages, job);
  const scratch = await makeScratch(directory);
  await compile(packages, { ...job, scratch, packageCount });
  for (const program of wanted) {
    await rename(join(scratch, recipe.builtNames[program]), join(directory, program));
  }
  await rm(scratch, { recursive: true });
  progress.say(`Built ${names} in ${progress.elapsed()}.`);
}

/** Downloads what is missing of the modules, and counts the packages there are to compile. */
async function fetchModules(packages: readonly string[], job: Job): Promise<number> {
  let fetched = 0;
  const onLine = (line: string): void => {
    if (line.startsWith('go: downloading')) fetched += 1;
  };
  const listed = await job.progress.follow(
    () => `fetched ${fetched} modules`,
    succeed({ args: ['list', '-deps', ...packages], onLine }, job),
  );
  return listed.split('\n').length;
}

async function compile(
  packages: readonly string[],
  job: Job & { readonly scratch: string; readonly packageCount: number },
): Promise<void> {
  // Go names each package as it compiles it, and passes over those it has from another build.
  let compiled = 0;
  const onLine = (): void => {
    compiled += 1;
  };
  const output = ['-o', `${job.scratch}/`];
  await job.progress.follow(
    () => `compiled ${count(compiled)} of at most ${count(job.packageCount)} packages`,
    succeed(
      { args: ['build', '-v', '-ldflags', job.recipe.linkerFlags, ...output, ...packages], onLine },
      job,
    ),
  );
}

async function succeed(run: Pick<GoRun, 'args' | 'onLine'>, job: Job): Promise<string> {
  const { environment, recipe } = job;
  const result = await runGo({ file: job.go.file, recipe, environment, ...run });
  if (result.succeeded) return result.stdout;
  const words = result.transcript.split('\n').slice(-lastLineCount).join('\n  ');
  throw unavailable(`go ${run.args[0]} failed:\n  ${words}`, {
    recipe,
    fix: 'do what Go says (it needs the network once, and some GB of disk)',
    logFile: await keepText('go.log', result.transcript),
  });
}

async function makeCache({ directory, recipe }: Building): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (err) {
    throw unavailable(`The cache ${directory} cannot be written to.`, {
      recipe,
      fix: 'set XDG_CACHE_HOME to a directory that you may write to',
      cause: err,
    });
  }
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

function count(value: number): string {
  return value.toLocaleString('en');
}
