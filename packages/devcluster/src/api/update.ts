/**
 * Updates an object, by a PUT or by a patch, under the same guards and the rules of its kind. An update that
 * changes nothing makes no new version, and no watch reports it. An object that is being deleted is removed
 * with its last finalizer.
 */
import { isJsonObject, type JsonObject, listAt, reuse, textAt, without } from '../json/index.ts';
import { invalid, type Resource, storedForm, validateMetaUpdate } from '../resources/index.ts';
import { isStoredObject, keyOf, type StoredObject } from '../store/index.ts';
import { store } from './create.ts';
import { versionProblem } from './list-options.ts';
import type { WriteOptions } from './read-body.ts';
import { refuse, refusals } from './refusal.ts';
import type { ResourceRoute } from './route.ts';
import { collectionOf, type ApiContext } from './api-context.ts';

export interface Change {
  readonly current: StoredObject;
  /** The whole new object, in the view of the resource. */
  readonly shown: JsonObject;
  readonly options: WriteOptions;
  readonly method: 'PUT' | 'PATCH';
}

export function updateObject(
  context: ApiContext,
  route: ResourceRoute,
  change: Change,
): StoredObject {
  const { resource } = route;
  const { current, shown, options } = change;
  refuseOtherName(route, shown);
  refuseOldVersion(resource, change);
  const next = prepared(route, change, stored(resource, shown, current));
  const errors = [
    ...validateMetaUpdate(next, current),
    ...resource.rules.validateUpdate({ next, current, subresource: statusOnly(route) }),
  ];
  if (errors.length > 0) refuse(refusals.invalid(resource, current.metadata.name, errors));
  const shared = reuse(current, next);
  if (shared === current) return current;
  const kept = isStoredObject(shared) ? shared : next;
  return options.isDryRun ? kept : commit(context, resource, kept);
}

function commit(context: ApiContext, resource: Resource, next: StoredObject): StoredObject {
  const isDeleting = next.metadata['deletionTimestamp'] !== undefined;
  if (isDeleting && listAt(next, 'metadata', 'finalizers').length === 0) {
    collectionOf(context, resource).remove(keyOf(next));
    return next;
  }
  return store(context, resource, next);
}

function prepared(route: ResourceRoute, { current }: Change, next: StoredObject): StoredObject {
  const { resource } = route;
  return resource.rules.prepareUpdate({ next, current, subresource: statusOnly(route) });
}

function statusOnly({ subresource }: ResourceRoute): 'status' | undefined {
  return subresource === 'status' ? 'status' : undefined;
}

/** The stored form. Fields that only the server sets keep their values. */
function stored(resource: Resource, shown: JsonObject, current: StoredObject): StoredObject {
  const given = isJsonObject(shown['metadata']) ? shown['metadata'] : {};
  const { name, creationTimestamp, resourceVersion = '', namespace } = current.metadata;
  const metadata = {
    ...serverFields.reduce(without, namespace === undefined ? without(given, 'namespace') : given),
    name,
    uid: textAt(given, 'uid') || current.metadata.uid,
    creationTimestamp,
    resourceVersion,
  };
  const isHome = namespace === undefined || given['namespace'] === namespace;
  return storedForm(resource, shown, isHome ? metadata : { ...metadata, namespace });
}

/** Fields that clients cannot set and the embedded server does not store. */
const serverFields = ['selfLink', 'generation', 'managedFields'];

/** Refuses an object whose name or namespace differs from that in the path. */
export function refuseOtherName({ name = '', namespace }: ResourceRoute, shown: JsonObject): void {
  const given = textAt(shown, 'metadata', 'name');
  if (given === '') {
    refuse(
      refusals.badRequest(
        `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
      ),
    );
  }
  if (given !== name) {
    refuse(
      refusals.badRequest(
        `the name of the object (${given}) does not match the name on the URL (${name})`,
      ),
    );
  }
  const home = textAt(shown, 'metadata', 'namespace');
  if (namespace !== undefined && home !== '' && home !== namespace) {
    refuse(
      refusals.badRequest(
        `the namespace of the object (${home}) does not match the namespace on the URL (${namespace})`,
      ),
    );
  }
}

function refuseOldVersion(resource: Resource, { current, shown, method }: Change): void {
  const { name, uid, resourceVersion = '' } = current.metadata;
  const asked = textAt(shown, 'metadata', 'resourceVersion');
  const isAny = asked === '' || isZero(asked);
  if (isAny && !resource.updatesUnconditionally) {
    const error = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
    refuse(refusals.invalid(resource, name, [error]));
  }
  const givenUid = textAt(shown, 'metadata', 'uid');
  if (method === 'PUT' && givenUid !== '' && givenUid !== uid) {
    const problem = `Precondition failed: UID in precondition: ${givenUid}, UID in object meta: ${uid}`;
    refuse(refusals.conflict(resource, name, problem));
  }
  if (isAny || asked === resourceVersion) return;
  const problem = versionProblem(asked);
  if (problem !== undefined) refuse({ code: 500, message: problem });
  if (Number(asked) === Number(resourceVersion)) return;
  refuse(
    refusals.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    ),
  );
}

/** Zero means any version, like an absent one. */
function isZero(version: string): boolean {
  return /^0+$/.test(version);
}
