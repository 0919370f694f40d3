/**
 * Deletes objects under preconditions. An object with finalizers stays until they are removed; all others are
 * deleted immediately, because the embedded cluster has no controller that would act first.
 */
import { listAt } from '../json/index.ts';
import type { Resource } from '../resources/index.ts';
import { formatTime } from '../schema/index.ts';
import { keyOf, type StoredObject } from '../store/index.ts';
import type { DeleteOptions } from './delete-options.ts';
import { refuse, refusals } from './refusal.ts';
import { collectionOf, type ApiContext } from './api-context.ts';

export type Deleted =
  | { readonly kind: 'gone'; readonly object: StoredObject }
  /** The object has finalizers and now has a deletionTimestamp. */
  | { readonly kind: 'marked'; readonly object: StoredObject };

export function deleteObject(
  context: ApiContext,
  resource: Resource,
  { current, options }: { readonly current: StoredObject; readonly options: DeleteOptions },
): Deleted {
  refuseOther(resource, current, options);
  const finalizers = listAt(current, 'metadata', 'finalizers');
  const collection = collectionOf(context, resource);
  if (finalizers.length === 0) {
    if (!options.isDryRun) collection.remove(keyOf(current));
    return { kind: 'gone', object: current };
  }
  if (current.metadata['deletionTimestamp'] !== undefined) {
    return { kind: 'marked', object: current };
  }
  const marked = {
    ...current,
    metadata: {
      ...current.metadata,
      deletionTimestamp: formatTime(context.clock.now()),
      deletionGracePeriodSeconds: 0,
    },
  };
  return { kind: 'marked', object: options.isDryRun ? marked : collection.put(marked) };
}

function refuseOther(resource: Resource, current: StoredObject, options: DeleteOptions): void {
  const { name, uid, resourceVersion } = current.metadata;
  if (options.uid !== undefined && options.uid !== uid) {
    const problem = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    refuse(refusals.preconditionFailed(resource, name, problem));
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    const problem = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    refuse(refusals.preconditionFailed(resource, name, problem));
  }
}
