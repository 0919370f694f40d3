/**
 * JSON values as the model keeps them: never changed in place, so that versions of an object share
 * what they have in common and an unchanged part is recognised by identity alone.
 */
export type Json = null | boolean | number | string | JsonList | JsonObject;

export type JsonList = readonly Json[];

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: unknown): value is JsonList {
  return Array.isArray(value);
}

/** What stands below the keys, or `undefined` where there is no such place. */
export function at(value: unknown, ...keys: readonly string[]): Json | undefined {
  let place: unknown = value;
  for (const key of keys) {
    if (!isJsonObject(place) || !Object.hasOwn(place, key)) return undefined;
    place = place[key];
  }
  return isJson(place) ? place : undefined;
}

export function textAt(value: unknown, ...keys: readonly string[]): string {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, ...keys: readonly string[]): JsonList {
  const found = at(value, ...keys);
  return isJsonList(found) ? found : [];
}

/** The texts of a list of texts. */
export function textsAt(value: unknown, ...keys: readonly string[]): readonly string[] {
  return listAt(value, ...keys).filter((item) => typeof item === 'string');
}

/** What `JSON.parse` gives is JSON all the way down; only the top needs to be looked at. */
export function isJson(value: unknown): value is Json {
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'string':
    case 'object':
      return true;
    default:
      return false;
  }
}

/** A copy of the object in which something else stands below a key, at its place or at the end. */
export function withField(object: JsonObject, key: string, value: Json): JsonObject {
  // A name that means something else where it is assigned.
  if (key === '__proto__') return { ...object, [key]: value };
  const copy: Record<string, Json | undefined> = { ...object };
  copy[key] = value;
  return copy;
}

/** The object without one key: itself where it does not have it, else a copy. */
export function without(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const { [key]: _, ...rest } = object;
  return rest;
}
