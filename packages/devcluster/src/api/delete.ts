/**
 * Deleting, with preconditions. An object with finalizers stays until they are gone; everything else
 * goes at once, there being nothing on the embedded cluster that would want to know before.
 */
import { at, isJsonList, isJsonObject, type Json, listAt, textAt } from '../json/index.ts';
import { notSupported, type Resource } from '../resources/index.ts';
import { formatTime } from '../schema/index.ts';
import { keyOf, type StoredObject } from '../store/index.ts';
import { readInteger } from './list-options.ts';
import { parseBody, readDryRun } from './read-body.ts';
import { refuse, refusals } from './refusal.ts';
import { collectionOf, type World } from './world.ts';

export interface DeleteOptions {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly isDryRun: boolean;
}

export type Deleted =
  | { readonly kind: 'gone'; readonly object: StoredObject }
  /** It has finalizers, and is marked. */
  | { readonly kind: 'marked'; readonly object: StoredObject };

const policies = ['Foreground', 'Background', 'Orphan', 'nil'];

export function readDeleteOptions(body: string, query: URLSearchParams): DeleteOptions {
  readInteger(query, 'gracePeriodSeconds');
  const options: Json =
    body === ''
      ? {}
      : parseBody(body, (problem) =>
          refusals.badRequest(`couldn't get version/kind; json parse error: ${problem}`),
        );
  const kind = at(options, 'kind') ?? 'DeleteOptions';
  if (!isJsonObject(options) || kind !== 'DeleteOptions') {
    refuse(refusals.badRequest(`${JSON.stringify(kind)} is not the kind of these options`));
  }
  const policy = textAt(options, 'propagationPolicy') || (query.get('propagationPolicy') ?? '');
  if (policy !== '' && !policies.slice(0, 3).includes(policy)) {
    const error = notSupported('propagationPolicy', policy, policies);
    refuse(refusals.invalidOptions('DeleteOptions', [error]));
  }
  const dryRun = at(options, 'dryRun');
  return {
    uid: textAt(options, 'preconditions', 'uid'),
    resourceVersion: textAt(options, 'preconditions', 'resourceVersion'),
    isDryRun: readDryRun(
      [...query.getAll('dryRun'), ...(isJsonList(dryRun) ? dryRun : [])],
      'DeleteOptions',
    ),
  };
}

export function deleteObject(
  world: World,
  resource: Resource,
  { current, options }: { readonly current: StoredObject; readonly options: DeleteOptions },
): Deleted {
  refuseOther(resource, current, options);
  const finalizers = listAt(current, 'metadata', 'finalizers');
  const collection = collectionOf(world, resource);
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
      deletionTimestamp: formatTime(world.clock.now()),
      deletionGracePeriodSeconds: 0,
    },
  };
  return { kind: 'marked', object: options.isDryRun ? marked : collection.put(marked) };
}

function refuseOther(resource: Resource, current: StoredObject, options: DeleteOptions): void {
  const { name, uid, resourceVersion } = current.metadata;
  if (options.uid !== '' && options.uid !== uid) {
    const problem = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    refuse(refusals.preconditionFailed(resource, name, problem));
  }
  if (options.resourceVersion !== '' && options.resourceVersion !== resourceVersion) {
    const problem = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    refuse(refusals.preconditionFailed(resource, name, problem));
  }
}
