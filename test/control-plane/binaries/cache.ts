/**
 * Where built programs are kept: outside the tree, so that a fresh clone has them already, and under a
 * name that tells their versions, so that an update never runs an old program.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import type { Recipe } from './recipe.ts';

export function cacheDirectory(environment: Environment, recipe: Recipe): string {
  return join(cacheHome(environment), 'tandem', 'control-plane', recipe.key);
}

/** The XDG base directory; a relative one is to be ignored, says its specification. */
export function cacheHome(environment: Environment): string {
  const named = environment['XDG_CACHE_HOME'] ?? '';
  return isAbsolute(named) ? named : join(environment['HOME'] ?? homedir(), '.cache');
}
