/**
 * Finds the programs of a control plane: in `KUBEBUILDER_ASSETS`, else on the PATH, else built once with Go and kept
 * in the user's cache. Each program is looked up separately, so that a kubectl from the PATH goes with servers that
 * were built. Programs of a given minor are always built.
 */
import { join, resolve } from 'node:path';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { cacheHome, goBuild } from '../../support/go-program.ts';
import { findOnPath, isExecutable } from '../../support/on-path.ts';
import { ControlPlaneError } from '../errors.ts';
import { type Program, readRecipe, type Recipe } from './recipe.ts';

/** Where text for people goes: standard error, or what a test collects. */
interface Sink {
  write(text: string): unknown;
}

interface Search {
  readonly environment?: Environment;
  /** Gets a line about missing programs and about builds; by default standard error. */
  readonly sink?: Sink;
  readonly recipe?: Recipe;
}

/** Returns the path of each program, in the given order. */
export async function findPrograms(
  wanted: readonly Program[],
  { environment = systemEnvironment(), sink = process.stderr, recipe = readRecipe() }: Search = {},
): Promise<string[]> {
  const directory = cacheDirectory(environment, recipe);
  const isProvidable = recipe.minor === undefined;
  if (isProvidable) sayWhatAssetsLack(wanted, { environment, sink });
  const find = (program: Program): string | undefined =>
    (isProvidable ? findProvided(program, environment) : undefined) ??
    [join(directory, program)].find(isExecutable);
  const missing = wanted.filter((program) => find(program) === undefined);
  if (missing.length > 0) await build(missing, { environment, sink, recipe, directory });
  return wanted.map((program) => find(program) ?? join(directory, program));
}

/** The name contains the versions, so that an update never runs an old program. */
export function cacheDirectory(environment: Environment, { key }: Recipe): string {
  return join(cacheHome(environment), 'tandem', 'control-plane', key);
}

function findProvided(program: Program, environment: Environment): string | undefined {
  return findInAssets(program, environment) ?? findOnPath(program, environment);
}

function findInAssets(program: Program, environment: Environment): string | undefined {
  const assets = environment['KUBEBUILDER_ASSETS'] ?? '';
  return assets === '' ? undefined : [resolve(assets, program)].find(isExecutable);
}

/** Reports programs that are missing there: a typo in the variable would otherwise go unnoticed. */
function sayWhatAssetsLack(
  wanted: readonly Program[],
  { environment, sink }: { readonly environment: Environment; readonly sink: Sink },
): void {
  const assets = environment['KUBEBUILDER_ASSETS'] ?? '';
  const lacked = wanted.filter((program) => findInAssets(program, environment) === undefined);
  if (assets === '' || lacked.length === 0) return;
  const line = `KUBEBUILDER_ASSETS, ${assets}, has no ${lacked.join(' and no ')} to run; looking elsewhere.`;
  // A test run asks once for each control plane.
  if (!said.has(line)) sink.write(`${line}\n`);
  said.add(line);
}

const said = new Set<string>();

async function build(
  wanted: readonly Program[],
  { environment, sink, recipe, directory }: Required<Search> & { readonly directory: string },
): Promise<void> {
  const go = findOnPath('go', environment);
  if (go === undefined) {
    const what = recipe.minor === undefined ? '' : ` of ${recipe.minor}`;
    const problem = `There is no kube-apiserver or etcd${what} to run, and no Go to build them with.`;
    throw unavailable(problem, recipe);
  }
  const names = wanted.map((program) => `${program} ${recipe.versions[program]}`).join(', ');
  sink.write(`Building ${names} with Go, once, into ${directory}.\n`);
  sink.write('This takes about five minutes on two cores, and a download the first time.\n');
  const { directory: folder, linkerFlags, packages } = recipe;
  for (const program of wanted) {
    const file = join(directory, program);
    const made = { go, folder, linkerFlags, file, environment, package: packages[program] };
    await goBuild(made).catch((err: unknown) => {
      const reason = err instanceof Error ? err.message : String(err);
      throw unavailable(`${program} cannot be built into ${directory}: ${reason}`, recipe, err);
    });
  }
  sink.write(`Built ${names}.\n`);
}

/** Names all ways to get the programs, because users may see nothing else of the integration tests. */
function unavailable(problem: string, recipe: Recipe, cause?: unknown): ControlPlaneError {
  const withGo = `have Go ${recipe.goVersion} or newer to build them with`;
  const provide = [
    'set KUBEBUILDER_ASSETS to a directory that has etcd and kube-apiserver',
    'put both on the PATH',
  ];
  const ways = recipe.minor === undefined ? [...provide, withGo] : [withGo];
  return new ControlPlaneError('ProgramsUnavailable', {
    problem,
    fix: `${ways.join(', or ')}.`,
    cause,
  });
}
