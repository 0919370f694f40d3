/** Merges two lists: as sets, or item by item where the items have a merge key. */
import {
  isEqual,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonList,
  type JsonObject,
} from '../json/index.ts';
import { inOrder } from './merge-order.ts';
import type { ListSchema, Schema } from './schema.ts';

/** The patch cannot be applied; the message says why. */
export class StrategicMergeError extends Error {}

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

/** Merges into the first item with the key, also into one that the same patch has added. */
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

/** Parts of a patch that have nothing to merge with are stored without their directives. */
export function withoutDirectives(value: Json): Json {
  if (isJsonList(value)) return value.filter((item) => !isDirected(item)).map(withoutDirectives);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, part]) => !key.startsWith('$') && part !== null,
  );
  return Object.fromEntries(
    entries.map(([key, part]) => [key, part === undefined ? part : withoutDirectives(part)]),
  );
}

/** Whether an item is only a directive about other items. */
function isDirected(item: Json): boolean {
  return isJsonObject(item) && item['$patch'] !== undefined;
}
