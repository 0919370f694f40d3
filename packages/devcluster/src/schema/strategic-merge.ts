/**
 * Strategic merge patches: like merge patches, but lists with a merge key are merged item by item, and there are
 * directives (`$patch`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`, `$retainKeys`). The merge key of a
 * node's addresses is their type, which two InternalIPs share: a merge corrupts the list here exactly as in a real
 * API server. A test compares random patches with one.
 */
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json/index.ts';
import { mergeLists, StrategicMergeError, withoutDirectives } from './merge-lists.ts';
import { inOrder } from './merge-order.ts';
import { anything, mapOf, type Schema } from './schema.ts';

export function applyStrategicMerge(
  schema: Schema,
  target: JsonObject,
  patch: JsonObject,
): JsonObject {
  const directive = patch['$patch'];
  if (directive !== undefined) return directed(directive, patch);
  const result: Record<string, Json | undefined> = { ...retained(target, patch) };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(deletionPrefix)) deleteItems(result, key, value ?? null);
    else if (key.startsWith('$')) continue;
    else if (value === null || value === undefined) delete result[key];
    else result[key] = mergeField(schemaOf(schema, key), target[key], value);
  }
  for (const [key, order] of Object.entries(patch)) {
    const field = key.startsWith(orderPrefix) ? key.slice(orderPrefix.length) : '';
    const list = result[field];
    if (field === '' || !isJsonList(list) || !isJsonList(order)) continue;
    const before = target[field];
    const known = isJsonList(before) ? before : [];
    result[field] = inOrder(list, { key: keyIn(schema, field), named: order, known });
  }
  return result;
}

const orderPrefix = '$setElementOrder/';
const deletionPrefix = '$deleteFromPrimitiveList/';

function directed(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') {
    throw new StrategicMergeError(`unknown patch type found: ${JSON.stringify(directive)}`);
  }
  const { $patch: _, ...rest } = patch;
  return rest;
}

function deleteItems(result: Record<string, Json | undefined>, key: string, gone: Json): void {
  const field = key.slice(deletionPrefix.length);
  const list = result[field];
  if (isJsonList(list) && isJsonList(gone)) {
    result[field] = list.filter((item) => !gone.includes(item));
  }
}

function retained(target: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch['$retainKeys'];
  if (!isJsonList(keys)) return target;
  return Object.fromEntries(Object.entries(target).filter(([key]) => keys.includes(key)));
}

/** A new field gets the value of the patch, which also replaces a value of another type. */
function mergeField(schema: Schema, target: Json | undefined, value: Json): Json {
  if (target === undefined) return withoutDirectives(value);
  if (isJsonObject(value) && isJsonObject(target)) {
    return applyStrategicMerge(schema, target, value);
  }
  if (!isJsonList(value) || !isJsonList(target)) return value;
  if (schema.kind !== 'list' || schema.merge === 'atomic') return value;
  return mergeLists({ schema, target, patch: value, mergeItems: applyStrategicMerge });
}

function keyIn(schema: Schema, field: string): string {
  const list = schemaOf(schema, field);
  return list.kind === 'list' && typeof list.merge === 'object' ? list.merge.key : '';
}

/** In unknown fields, objects merge and all other values are replaced. */
function schemaOf(schema: Schema, key: string): Schema {
  if (schema.kind === 'map') return schema.values;
  const known = schema.kind === 'object' ? schema.fields.get(key)?.schema : undefined;
  return known ?? mapOf(anything);
}
