/**
 * Equality and sharing. Objects that were put together from parts of each other are compared by
 * identity first, so that the cost is that of the difference and not that of the object.
 */
import { isJsonList, isJsonObject, type Json, type JsonList, type JsonObject } from './json.ts';

export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isJsonList(a)) return isJsonList(b) && areListsEqual(a, b);
  return isJsonObject(a) && isJsonObject(b) && areObjectsEqual(a, b);
}

/** The value of `next`, with every part that is equal in `known` taken from there. */
export function reuse(known: Json | undefined, next: Json): Json {
  if (known === next) return next;
  if (isJsonList(next)) return isJsonList(known) ? reuseList(known, next) : next;
  return isJsonObject(next) && isJsonObject(known) ? reuseObject(known, next) : next;
}

function areListsEqual(a: JsonList, b: JsonList): boolean {
  return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
}

function areObjectsEqual(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

function reuseList(known: JsonList, next: JsonList): JsonList {
  const items = next.map((item, index) => reuse(known[index], item));
  const isSame = known.length === items.length && items.every((item, i) => item === known[i]);
  return isSame ? known : items;
}

function reuseObject(known: JsonObject, next: JsonObject): JsonObject {
  const entries = Object.entries(next).map(
    ([key, value]) => [key, value === undefined ? value : reuse(known[key], value)] as const,
  );
  const isSame =
    entries.length === Object.keys(known).length &&
    entries.every(([key, value]) => Object.hasOwn(known, key) && value === known[key]);
  return isSame ? known : Object.fromEntries(entries);
}
