/** Create, update, patch and delete on the store: versions, UIDs, guards and preconditions. */
import type { Clock, Ids } from '@tandem/runtime';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMerge,
  type PatchOperation,
} from './json-patch.ts';
import type { Route } from './route.ts';
import { type Refused, refusals } from './status.ts';
import type { Store, StoredObject } from './store.ts';

export type Written =
  | { readonly kind: 'object'; readonly code: number; readonly object: StoredObject }
  | { readonly kind: 'refused'; readonly refused: Refused };

interface WritePorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function createObject(
  { store, clock, ids }: WritePorts,
  route: Route,
  body: StoredObject,
): Written {
  const { name } = body.metadata;
  if (store.find(route.collection, name) !== undefined) return refuse(refusals.alreadyExists(name));
  const metadata = {
    ...body.metadata,
    uid: ids.uuid(),
    creationTimestamp: `${new Date(clock.now()).toISOString().slice(0, 19)}Z`,
    ...(route.namespace === undefined ? {} : { namespace: route.namespace }),
  };
  const object = { apiVersion: route.apiVersion, kind: route.kind, ...body, metadata };
  return { kind: 'object', code: 201, object: store.put(route.collection, name, object) };
}

export function updateObject({ store }: WritePorts, route: Route, body: StoredObject): Written {
  const current = store.find(route.collection, route.name ?? '');
  if (current === undefined) return refuse(refusals.notFound(route.name ?? ''));
  return findConflict(current, body) ?? replace(store, route, current, body);
}

export function patchObject(
  { store }: WritePorts,
  route: Route,
  { contentType, patch }: { readonly contentType: string; readonly patch: unknown },
): Written {
  const current = store.find(route.collection, route.name ?? '');
  if (current === undefined) return refuse(refusals.notFound(route.name ?? ''));
  const patched = patchedBy(contentType, current, patch);
  if (!isStored(patched)) return refuse(refusals.failedPatch());
  return findConflict(current, patched) ?? replace(store, route, current, patched);
}

function patchedBy(contentType: string, current: StoredObject, patch: unknown): unknown {
  if (contentType.startsWith('application/json-patch')) {
    return applyJsonPatch(current, isOperations(patch) ? patch : []);
  }
  const isStrategic = contentType.startsWith('application/strategic-merge-patch');
  return (isStrategic ? applyStrategicMerge : applyMergePatch)(current, patch);
}

/** Whether the object is no longer the one that the write is for. */
function findConflict(current: StoredObject, { metadata }: StoredObject): Written | undefined {
  const { resourceVersion, uid } = metadata;
  if (resourceVersion !== undefined && resourceVersion !== current.metadata.resourceVersion) {
    return refuse(refusals.conflict('the object has been modified'));
  }
  const isSame = uid === undefined || uid === current.metadata.uid;
  return isSame ? undefined : refuse(refusals.conflict('another uid'));
}

export function deleteObject({ store }: WritePorts, route: Route, options: unknown): Written {
  const current = store.find(route.collection, route.name ?? '');
  if (current === undefined) return refuse(refusals.notFound(route.name ?? ''));
  const { uid, resourceVersion } = preconditionsOf(options);
  const isSame =
    (uid ?? current.metadata.uid) === current.metadata.uid &&
    (resourceVersion ?? current.metadata.resourceVersion) === current.metadata.resourceVersion;
  if (!isSame) return refuse(refusals.conflict('a precondition failed'));
  const object = store.remove(route.collection, current.metadata.name) ?? current;
  return { kind: 'object', code: 200, object };
}

/** A write that changes nothing gets no new version, as with the real one. */
function replace(store: Store, route: Route, current: StoredObject, next: StoredObject): Written {
  const { name, uid, creationTimestamp, resourceVersion } = current.metadata;
  const metadata = { ...next.metadata, name, uid, creationTimestamp, resourceVersion };
  const object = { ...next, metadata };
  if (JSON.stringify(object) === JSON.stringify(current))
    return { kind: 'object', code: 200, object };
  return { kind: 'object', code: 200, object: store.put(route.collection, name, object) };
}

export function isStored(value: unknown): value is StoredObject {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return false;
  const { metadata } = value;
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata;
}

function isOperations(value: unknown): value is PatchOperation[] {
  return Array.isArray(value);
}

function preconditionsOf(options: unknown): { uid?: string; resourceVersion?: string } {
  if (typeof options !== 'object' || options === null || !('preconditions' in options)) return {};
  const { preconditions } = options;
  return typeof preconditions === 'object' && preconditions !== null ? preconditions : {};
}

function refuse(refused: Refused): Written {
  return { kind: 'refused', refused };
}
