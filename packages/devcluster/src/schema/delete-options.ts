/** How something is to be deleted. */
import { flag, int64, listOf, objectOf, type ObjectSchema, pointer, text } from './schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export const deleteOptions: ObjectSchema = objectOf(`${meta}.DeleteOptions`, {
  kind: text,
  apiVersion: text,
  gracePeriodSeconds: pointer(int64),
  preconditions: objectOf(`${meta}.Preconditions`, {
    uid: pointer(text),
    resourceVersion: pointer(text),
  }),
  orphanDependents: pointer(flag),
  propagationPolicy: pointer(text),
  dryRun: listOf(text),
  ignoreStoreReadErrorWithClusterBreakingPotential: pointer(flag),
});
