/**
 * Equality and sharing. Values are compared by identity first: where two objects share most of their parts, a
 * comparison costs as much as their difference, not as much as the whole objects.
 */
import { isJsonList, isJsonObject, type Json, type JsonList, type JsonObject } from './json.ts';

export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isJsonList(a)) return isJsonList(b) && areListsEqual(a, b);
  return isJsonObject(a) && isJsonObject(b) && areObjectsEqual(a, b);
}

/** The value of `next`, with every part taken from `known` that is equal there. */
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
  let isSame = known.length === next.length;
  const items = next.map((item, index) => {
    const kept = reuse(known[index], item);
    isSame &&= kept === known[index];
    return kept;
  });
  return isSame ? known : items;
}

/** Copies only if an equal part of `known` is not the same object already. */
function reuseObject(known: JsonObject, next: JsonObject): JsonObject {
  const keys = Object.keys(next);
  let isSame = keys.length === Object.keys(known).length;
  let copy: Record<string, Json | undefined> | undefined;
  for (const key of keys) {
    const before = Object.hasOwn(known, key) ? known[key] : undefined;
    const value = next[key];
    const kept = value === undefined ? value : reuse(before, value);
    isSame &&= kept !== undefined && kept === before;
    if (kept === value) continue;
    copy ??= { ...next };
    copy[key] = kept;
  }
  return isSame ? known : (copy ?? next);
}
