/**
 * Between the stored form of an object and the one that a resource shows: a type comes and goes, and
 * some fields have another name. In another order of fields nobody would recognise an object, so that
 * stays as it is, metadata first.
 */
import type { Json, JsonObject } from '../json/index.ts';
import type { ObjectMeta, StoredObject } from '../store/index.ts';
import { apiVersionOf, type Resource } from './resource.ts';

/** The object as it goes out: with its type, in this resource's view. */
export function shown(resource: Resource, stored: StoredObject): JsonObject {
  const { kind, view } = resource;
  const object: Fields = { kind, apiVersion: apiVersionOf(resource) };
  addFields(object, stored, view?.shown);
  return object;
}

/** As an item of a list, which says for all of them what they are. */
export function viewed({ view }: Resource, stored: StoredObject): JsonObject {
  if (view === undefined) return stored;
  const object: Fields = {};
  addFields(object, stored, view.shown);
  return object;
}

/** What is kept of an object that somebody shows, with metadata that the server has seen to. */
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
