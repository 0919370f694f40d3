/**
 * `npm test` runs this before the tests that need several minors. A build uses all cores for minutes, which would
 * delay the tests that run meanwhile. If it fails, the tests that need it report why.
 */
import { ControlPlaneError } from '../errors.ts';
import { findPrograms } from './find.ts';
import { minors, readMinorRecipe } from './recipe.ts';

try {
  for (const minor of minors) {
    await findPrograms(['etcd', 'kube-apiserver'], { recipe: readMinorRecipe(minor) });
  }
} catch (err) {
  if (!(err instanceof ControlPlaneError)) throw err;
}
