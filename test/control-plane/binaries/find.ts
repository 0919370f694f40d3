/**
 * Finds the programs a control plane is made of: in `KUBEBUILDER_ASSETS`, else on the PATH, else built
 * with Go once and kept in the user's cache. Each program is looked up by itself, so that a kubectl
 * from the PATH goes with servers that were built. Where a minor is asked for they are always built.
 */
import { join, resolve } from 'node:path';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { buildPrograms, type Sink } from './build.ts';
import { cacheDirectory } from './cache.ts';
import { findOnPath, isExecutable } from './on-path.ts';
import { type Program, readRecipe, type Recipe } from './recipe.ts';

interface Search {
  readonly environment?: Environment;
  /** Told where a program is missed, and what is built; by default standard error. */
  readonly sink?: Sink;
  readonly recipe?: Recipe;
}

/** Gives the path of each program, in the order asked for. */
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
  if (missing.length > 0) {
    await buildPrograms(missing, { environment, sink, recipe, directory });
  }
  return wanted.map((program) => find(program) ?? join(directory, program));
}

function findProvided(program: Program, environment: Environment): string | undefined {
  return findInAssets(program, environment) ?? findOnPath(program, environment);
}

function findInAssets(program: Program, environment: Environment): string | undefined {
  const assets = environment['KUBEBUILDER_ASSETS'] ?? '';
  return assets === '' ? undefined : [resolve(assets, program)].find(isExecutable);
}

/** A variable with a slip in it would otherwise go unnoticed: other programs would be run. */
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
