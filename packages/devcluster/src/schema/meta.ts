/** Object metadata, and the options of a deletion. */
import {
  always,
  anything,
  flag,
  int64,
  listOf,
  mapOf,
  objectOf,
  type ObjectSchema,
  pointer,
  text,
  time,
} from './schema.ts';

const metaGroup = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const ownerReference = objectOf(`${metaGroup}.OwnerReference`, {
  apiVersion: always(text, ''),
  kind: always(text, ''),
  name: always(text, ''),
  uid: always(text, ''),
  controller: pointer(flag),
  blockOwnerDeletion: pointer(flag),
});

const managedFields = objectOf(`${metaGroup}.ManagedFieldsEntry`, {
  manager: text,
  operation: text,
  apiVersion: text,
  time,
  fieldsType: text,
  fieldsV1: anything,
  subresource: text,
});

const objectMeta: ObjectSchema = objectOf(`${metaGroup}.ObjectMeta`, {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: pointer(int64),
  labels: mapOf(text),
  annotations: mapOf(text),
  ownerReferences: listOf(ownerReference, { key: 'uid' }),
  finalizers: listOf(text, 'set'),
  managedFields: listOf(managedFields),
});

/** The schema of a kind: its type, its metadata, and its own fields. */
export function kindOf(name: string, fields: Parameters<typeof objectOf>[1]): ObjectSchema {
  return objectOf(name, { kind: text, apiVersion: text, metadata: objectMeta, ...fields });
}

export const deleteOptions: ObjectSchema = objectOf(`${metaGroup}.DeleteOptions`, {
  kind: text,
  apiVersion: text,
  gracePeriodSeconds: pointer(int64),
  preconditions: objectOf(`${metaGroup}.Preconditions`, {
    uid: pointer(text),
    resourceVersion: pointer(text),
  }),
  orphanDependents: pointer(flag),
  propagationPolicy: pointer(text),
  dryRun: listOf(text),
  ignoreStoreReadErrorWithClusterBreakingPotential: pointer(flag),
});
