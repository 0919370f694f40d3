/**
 * Finds the programs a control plane is made of: in `KUBEBUILDER_ASSETS`, else on the PATH, else built
 * with Go once and kept in the user's cache. Each program is looked up by itself, so that a kubectl
 * from the PATH goes with servers that were built.
 */
import { join, resolve } from 'node:path';
import { type Clock, type Environment, systemClock } from '@tandem/runtime';
import { buildPrograms } from './build.ts';
import { cacheDirectory } from './cache.ts';
import { findOnPath, isExecutable } from './on-path.ts';
import type { Sink } from './progress.ts';
import { type Program, readRecipe, type Recipe } from './recipe.ts';

export interface Search {
  readonly environment: Environment;
  /** Told what a build does and how far it is. */
  readonly sink: Sink;
  readonly clock?: Clock;
  readonly recipe?: Recipe;
}

/** Gives the path of each program, in the order asked for. */
export async function findPrograms(
  wanted: readonly Program[],
  { environment, sink, clock = systemClock, recipe = readRecipe() }: Search,
): Promise<string[]> {
  const directory = cacheDirectory(environment, recipe);
  const find = (program: Program): string | undefined =>
    findProvided(program, environment) ?? [join(directory, program)].find(isExecutable);
  const missing = wanted.filter((program) => find(program) === undefined);
  if (missing.length > 0) {
    await buildPrograms(missing, { environment, sink, clock, recipe, directory });
  }
  return wanted.map((program) => find(program) ?? join(directory, program));
}

function findProvided(program: Program, environment: Environment): string | undefined {
  const assets = environment['KUBEBUILDER_ASSETS'] ?? '';
  const inAssets = assets === '' ? [] : [resolve(assets, program)];
  return inAssets.find(isExecutable) ?? findOnPath(program, environment);
}
