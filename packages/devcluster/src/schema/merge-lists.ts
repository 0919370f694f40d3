/** Merging two lists: as sets, or item by item where items have a key. */
import { isEqual, isJsonObject, type Json, type JsonList, type JsonObject } from '../json/index.ts';
import { inOrder } from './merge-order.ts';
import type { ListSchema, Schema } from './schema.ts';
import { StrategicMergeError } from './strategic-merge-error.ts';
import { isDirected } from './without-directives.ts';

interface ListMerge {
  readonly schema: ListSchema;
  readonly target: JsonList;
  readonly patch: JsonList;
  readonly mergeItems: (schema: Schema, target: JsonObject, patch: JsonObject) => JsonObject;
}

export function mergeLists(merge: ListMerge): JsonList {
  const { schema, target, patch } = merge;
  if (typeof schema.merge !== 'object') {
    const all = [...new Set([...target, ...patch])];
    return inOrder(all, { key: '', named: patch, known: target });
  }
  const { key } = schema.merge;
  const items = patch.filter((item) => !isDirected(item));
  const isReplaced = patch.some((item) => isJsonObject(item) && item['$patch'] === 'replace');
  if (isReplaced) return items;
  const known = withoutDeleted(target, patch, key);
  const merged = items.reduce<JsonList>(
    (list, item) => mergeItem(list, { ...merge, item, key }),
    known,
  );
  return inOrder(merged, { key, named: items, known });
}

function withoutDeleted(target: JsonList, patch: JsonList, key: string): JsonList {
  const gone = patch.filter((item) => isJsonObject(item) && item['$patch'] === 'delete');
  return target.filter(
    (item) => !gone.some((other) => isEqual(valueOf(item, key), valueOf(other, key))),
  );
}

/** The first item of the key counts, be it one that this very patch has added. */
function mergeItem(
  list: JsonList,
  merge: ListMerge & { readonly item: Json; readonly key: string },
): JsonList {
  const { schema, mergeItems, item, key } = merge;
  const value = valueOf(item, key);
  if (!isJsonObject(item) || value === undefined) {
    throw new StrategicMergeError(
      `map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`,
    );
  }
  const index = list.findIndex((other) => isEqual(valueOf(other, key), value));
  const found = list[index];
  if (!isJsonObject(found)) return [...list, item];
  return list.with(index, mergeItems(schema.items, found, item));
}

function valueOf(item: Json, key: string): Json | undefined {
  return isJsonObject(item) ? item[key] : undefined;
}
