/**
 * Converts between the stored form of an object and the form that a resource shows, which has a kind and an
 * apiVersion and other names for some fields. The order of fields stays, metadata first, as people know it.
 */
import type { Json, JsonObject } from '../json/index.ts';
import type { ObjectMeta, StoredObject } from '../store/index.ts';
import { apiVersionOf, type Resource } from './resource.ts';

/** The object as clients get it: with its kind and apiVersion, in the view of the resource. */
export function shown(resource: Resource, stored: StoredObject): JsonObject {
  const { kind, view } = resource;
  const object: Fields = { kind, apiVersion: apiVersionOf(resource) };
  addFields(object, stored, view?.shown);
  return object;
}

/** The object as an item of a list, which has the kind for all of them. */
export function viewed({ view }: Resource, stored: StoredObject): JsonObject {
  if (view === undefined) return stored;
  const object: Fields = {};
  addFields(object, stored, view.shown);
  return object;
}

/** The stored form of an object from a client, with metadata from the server. */
export function storedForm(
  { view }: Resource,
  given: JsonObject,
  metadata: ObjectMeta,
): StoredObject {
  const object: Fields & { metadata: ObjectMeta } = { metadata };
  for (const key of Object.keys(given)) {
    if (!replaced.has(key)) object[view?.stored.get(key) ?? key] = given[key];
  }
  return object;
}

const replaced: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata']);

type Fields = Record<string, Json | undefined>;

function addFields(
  to: Fields,
  from: JsonObject,
  names: ReadonlyMap<string, string> | undefined,
): void {
  for (const key of Object.keys(from)) to[names?.get(key) ?? key] = from[key];
}
