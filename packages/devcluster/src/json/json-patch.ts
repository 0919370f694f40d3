/**
 * JSON patches (RFC 6902) as the API server applies them, all or nothing. Where the server's library differs from
 * the standard, this code follows the library: a `replace` may name a missing key, a `test` for null passes where
 * the key is missing, and indexes may count from the end.
 */
import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonList,
  type JsonObject,
  withField,
  without,
} from './json.ts';
import { memoize } from '../memoize/index.ts';
import { isEqual } from './reuse.ts';

export interface PatchOperation {
  readonly op?: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: Json;
}

/** The patched value, or `undefined` where a test fails or a path does not exist. */
export function applyJsonPatch(
  document: Json,
  operations: readonly PatchOperation[],
): Json | undefined {
  let value: Json | undefined = document;
  for (const operation of operations) {
    value = applyOperation(value, operation);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Undefined for what is not a list of operations. */
export function readOperations(value: unknown): readonly PatchOperation[] | undefined {
  return Array.isArray(value) && value.every(isOperation) ? value : undefined;
}

function isOperation(value: unknown): value is PatchOperation {
  return (
    isJsonObject(value) &&
    isTextOrAbsent(value['op']) &&
    isTextOrAbsent(value['path']) &&
    isTextOrAbsent(value['from'])
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function applyOperation(document: Json, operation: PatchOperation): Json | undefined {
  const { op, path = '', from = '', value = null } = operation;
  switch (op) {
    case 'test':
      return isEqual(valueAt(document, path), value) ? document : undefined;
    case 'add':
    case 'replace':
    case 'remove':
      return changed(document, keysOf(path), { op, value });
    case 'copy': {
      const copied = valueAt(document, from);
      return copied === undefined
        ? undefined
        : changed(document, keysOf(path), { op: 'add', value: copied });
    }
    case 'move': {
      const moved = valueAt(document, from);
      const rest = changed(document, keysOf(from), { op: 'remove', value: null });
      return moved === undefined || rest === undefined
        ? undefined
        : changed(rest, keysOf(path), { op: 'add', value: moved });
    }
    default:
      return undefined;
  }
}

interface Edit {
  readonly op: 'add' | 'replace' | 'remove';
  readonly value: Json;
}

/** Copies the containers along the path and shares everything else. */
function changed(parent: Json, keys: readonly string[], edit: Edit, depth = 1): Json | undefined {
  const key = keys[depth];
  if (key === undefined) return edit.op === 'remove' ? undefined : edit.value;
  if (depth === keys.length - 1) return edited(parent, key, edit);
  const child = childOf(parent, key);
  const next = child === undefined ? undefined : changed(child, keys, edit, depth + 1);
  if (next === undefined) return undefined;
  return isJsonList(parent)
    ? parent.with(indexIn(parent, key), next)
    : withField(isJsonObject(parent) ? parent : {}, key, next);
}

function edited(parent: Json, key: string, edit: Edit): Json | undefined {
  if (isJsonList(parent)) return editedList(parent, key, edit);
  return isJsonObject(parent) ? editedObject(parent, key, edit) : undefined;
}

function editedList(list: JsonList, key: string, { op, value }: Edit): JsonList | undefined {
  if (op === 'add') {
    const isEnd = key === '-' || key === '-1';
    const index = isEnd ? list.length : /^\d+$/.test(key) ? Number(key) : Number.NaN;
    return index <= list.length ? list.toSpliced(index, 0, value) : undefined;
  }
  const index = indexIn(list, key);
  if (index < 0) return undefined;
  return op === 'remove' ? list.toSpliced(index, 1) : list.with(index, value);
}

function editedObject(object: JsonObject, key: string, { op, value }: Edit): Json | undefined {
  if (op !== 'remove') return withField(object, key, value);
  return Object.hasOwn(object, key) ? without(object, key) : undefined;
}

/** A key that is missing from an existing container reads as null. */
function valueAt(document: Json, path: string): Json | undefined {
  const keys = keysOf(path);
  if (keys.length < 2) return document;
  let parent: Json = document;
  for (let depth = 1; depth < keys.length - 1; depth++) {
    const child = childOf(parent, keys[depth] ?? '');
    if (child === undefined || child === null) return undefined;
    parent = child;
  }
  const last = keys.at(-1) ?? '';
  return isJsonList(parent) ? childOf(parent, last) : (childOf(parent, last) ?? null);
}

function childOf(parent: Json, key: string): Json | undefined {
  if (isJsonList(parent)) return parent[indexIn(parent, key)];
  return isJsonObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
}

/** -1 for a key that is not the index of an existing item. */
function indexIn(list: JsonList, key: string): number {
  if (!/^-?\d+$/.test(key)) return -1;
  const index = Number(key) < 0 ? list.length + Number(key) : Number(key);
  return index < list.length ? index : -1;
}

/** Text before the first slash is not a key and is ignored. */
const keysOf: (path: string) => readonly string[] = memoize((path) => {
  const keys = path.split('/');
  return path.includes('~') ? keys.map(unescaped) : keys;
});

function unescaped(key: string): string {
  return key.includes('~') ? key.replaceAll('~1', '/').replaceAll('~0', '~') : key;
}
