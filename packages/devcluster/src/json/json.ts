/**
 * JSON values as the store keeps them: never changed in place, so that the versions of an object share their
 * common parts, and code can recognise an unchanged part by its identity.
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

/** The value below the keys, or `undefined` where there is none. */
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

/** The strings of a list. */
export function textsAt(value: unknown, ...keys: readonly string[]): readonly string[] {
  return listAt(value, ...keys).filter((item) => typeof item === 'string');
}

/** The values come from `JSON.parse`, so that only the top level needs a check. */
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

/** A copy of the object with another value for a key. A new key comes last. */
export function withField(object: JsonObject, key: string, value: Json): JsonObject {
  // An assignment would set the prototype.
  if (key === '__proto__') return { ...object, [key]: value };
  const copy: Record<string, Json | undefined> = { ...object };
  copy[key] = value;
  return copy;
}

/** A copy of the object without one key; the object itself where it lacks the key. */
export function without(object: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(object, key)) return object;
  const { [key]: _, ...rest } = object;
  return rest;
}
