/**
 * `npm test` runs this before the tests that want several minors: a build takes minutes of all cores, and beside it
 * whatever is bound to happen in time would happen late. Where it fails, those tests say why.
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
