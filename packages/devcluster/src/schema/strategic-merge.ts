/**
 * Strategic merge patches: like a merge patch, but lists with a merge key are merged item by item, and
 * directives (`$patch`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`, `$retainKeys`) say more.
 * The key of a node's addresses is their type, which two InternalIPs share: merging them corrupts the
 * list here exactly as it does in a real API server.
 */
import {
  isEqual,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonList,
  type JsonObject,
} from '../json/index.ts';
import { type ListSchema, mapOf, anything, type Schema } from './schema.ts';

/** A patch that cannot be applied says why. */
export class StrategicMergeError extends Error {}

export function applyStrategicMerge(
  schema: Schema,
  target: Json | undefined,
  patch: JsonObject,
): JsonObject {
  const directive = patch['$patch'];
  if (directive === 'replace') return stripped(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') {
    throw new StrategicMergeError(`unknown patch type found: ${JSON.stringify(directive)}`);
  }
  const before = isJsonObject(target) ? target : {};
  const result: Record<string, Json | undefined> = { ...retained(before, patch) };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) applyDirective(result, key, value ?? null);
    else if (value === null || value === undefined) delete result[key];
    else result[key] = mergeField(schemaOf(schema, key), { before, patch, key, value });
  }
  for (const [key, order] of Object.entries(patch)) {
    const name = key.startsWith(orderPrefix) ? key.slice(orderPrefix.length) : undefined;
    const list = name === undefined ? undefined : result[name];
    if (name !== undefined && isJsonList(list) && isJsonList(order)) {
      result[name] = ordered(list, order, { schema: schemaOf(schema, name), before: before[name] });
    }
  }
  return result;
}

const orderPrefix = '$setElementOrder/';
const deletionPrefix = '$deleteFromPrimitiveList/';

function applyDirective(result: Record<string, Json | undefined>, key: string, value: Json): void {
  if (!key.startsWith(deletionPrefix)) return;
  const name = key.slice(deletionPrefix.length);
  const list = result[name];
  if (isJsonList(list) && isJsonList(value)) {
    result[name] = list.filter((item) => !value.includes(item));
  }
}

function retained(before: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch['$retainKeys'];
  if (!isJsonList(keys)) return before;
  return Object.fromEntries(Object.entries(before).filter(([key]) => keys.includes(key)));
}

interface Merge {
  readonly before: JsonObject;
  readonly patch: JsonObject;
  readonly key: string;
  readonly value: Json;
}

function mergeField(schema: Schema, { before, key, value }: Merge): Json {
  const target = before[key];
  if (isJsonObject(value)) return applyStrategicMerge(schema, target, value);
  if (!isJsonList(value) || schema.kind !== 'list') return value;
  if (schema.merge === 'atomic') return value.map(strippedItem);
  const list = isJsonList(target) ? target : [];
  return schema.merge === 'set' ? union(list, value) : mergeByKey(schema, list, value);
}

function union(list: JsonList, added: JsonList): JsonList {
  return [...list, ...added.filter((item) => !list.includes(item))];
}

function mergeByKey(schema: ListSchema, list: JsonList, patch: JsonList): JsonList {
  const key = typeof schema.merge === 'object' ? schema.merge.key : '';
  if (patch.some((item) => isJsonObject(item) && item['$patch'] === 'replace')) {
    return patch.filter((item) => isJsonObject(item) && item['$patch'] === undefined);
  }
  return patch.reduce<JsonList>((items, item) => mergeItem(schema, items, { item, key }), list);
}

function mergeItem(
  schema: ListSchema,
  items: JsonList,
  { item, key }: { readonly item: Json; readonly key: string },
): JsonList {
  if (!isJsonObject(item) || item[key] === undefined) {
    throw new StrategicMergeError(
      `map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`,
    );
  }
  const isIt = (other: Json): boolean => isJsonObject(other) && isEqual(other[key], item[key]);
  if (item['$patch'] === 'delete') return items.filter((other) => !isIt(other));
  const index = items.findIndex(isIt);
  if (index < 0) return [...items, applyStrategicMerge(schema.items, undefined, item)];
  return items.with(index, applyStrategicMerge(schema.items, items[index], item));
}

/** Items named in the order come in that order; others keep their place before those they preceded. */
function ordered(
  list: JsonList,
  order: JsonList,
  { schema, before }: { readonly schema: Schema; readonly before: Json | undefined },
): JsonList {
  const key = schema.kind === 'list' && typeof schema.merge === 'object' ? schema.merge.key : '';
  const idOf = (item: Json | undefined): Json =>
    key !== '' && isJsonObject(item) ? (item[key] ?? null) : (item ?? null);
  const rank = (item: Json): number => order.findIndex((id) => isEqual(idOf(id), idOf(item)));
  const originals = isJsonList(before) ? before : [];
  const place = (item: Json): number => originals.findIndex((o) => isEqual(idOf(o), idOf(item)));
  const named = list.filter((item) => rank(item) >= 0).toSorted((a, b) => rank(a) - rank(b));
  const others = list.filter((item) => rank(item) < 0);
  const result: Json[] = [];
  for (const item of named) {
    const at = place(item);
    while (others[0] !== undefined && at >= 0 && place(others[0]) < at) {
      result.push(...others.splice(0, 1));
    }
    result.push(item);
  }
  return [...result, ...others];
}

function schemaOf(schema: Schema, key: string): Schema {
  if (schema.kind === 'map') return schema.values;
  const known = schema.kind === 'object' ? schema.fields.get(key)?.schema : undefined;
  return known ?? mapOf(anything);
}

function stripped(patch: JsonObject): JsonObject {
  const entries = Object.entries(patch).filter(([key]) => !key.startsWith('$'));
  return Object.fromEntries(entries.map(([key, value]) => [key, strippedItem(value ?? null)]));
}

function strippedItem(value: Json): Json {
  return isJsonObject(value) ? stripped(value) : value;
}
