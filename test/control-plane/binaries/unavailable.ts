/**
 * The error of having no programs to run. Whatever stood in the way, it names all ways to get them,
 * because it may be all that a person sees of the integration tests.
 */
import { ControlPlaneError } from '../errors.ts';
import type { Recipe } from './recipe.ts';

export function unavailable(
  problem: string,
  facts: { recipe: Recipe; fix?: string; logFile?: string | undefined; cause?: unknown },
): ControlPlaneError {
  const first = facts.fix === undefined ? '' : `${facts.fix}; or `;
  const { goVersion, minor } = facts.recipe;
  const build = `have Go ${goVersion} or newer to build them with`;
  const provide = [
    'set KUBEBUILDER_ASSETS to a directory that has etcd and kube-apiserver',
    'put both on the PATH',
  ];
  const ways = minor === undefined ? [...provide, build] : [build];
  return new ControlPlaneError('ProgramsUnavailable', {
    problem,
    fix: `${first}${ways.join(', or ')}.`,
    logFile: facts.logFile,
    cause: facts.cause,
  });
}
