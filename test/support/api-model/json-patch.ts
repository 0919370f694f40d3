/**
 * Patches of plain values, as far as the API server's callers use them: RFC 6902 with add, remove, replace and
 * test, RFC 7386, and strategic merges of conditions.
 */
import { isDeepStrictEqual } from 'node:util';

export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** The patched value, or nothing where a test fails or a path does not exist. */
export function applyJsonPatch(target: unknown, operations: readonly PatchOperation[]): unknown {
  const root = { value: structuredClone(target) };
  for (const operation of operations) {
    if (!applyOperation(root, operation)) return undefined;
  }
  return root.value;
}

function applyOperation(root: { value: unknown }, { op, path, value }: PatchOperation): boolean {
  const keys = ['value', ...path.split('/').slice(1).map(unescapePointer)];
  const last = keys.pop() ?? '';
  let parent: unknown = root;
  for (const key of keys) parent = childOf(parent, key);
  if (typeof parent !== 'object' || parent === null) return false;
  if (op === 'test') return isDeepStrictEqual(childOf(parent, last) ?? null, value ?? null);
  return Array.isArray(parent)
    ? changeList(parent, op, last, value)
    : changeObject(parent, op, last, value);
}

function changeList(list: unknown[], op: string, key: string, value: unknown): boolean {
  const index = key === '-' ? list.length : Number(key);
  const limit = op === 'add' ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > limit) return false;
  if (op === 'add') list.splice(index, 0, value);
  else if (op === 'remove') list.splice(index, 1);
  else list[index] = value;
  return true;
}

function changeObject(object: object, op: string, key: string, value: unknown): boolean {
  if (op !== 'add' && !Object.hasOwn(object, key)) return false;
  if (op === 'remove') Reflect.deleteProperty(object, key);
  else Reflect.set(object, key, value);
  return true;
}

function childOf(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, key))
    return undefined;
  return Reflect.get(parent, key);
}

function unescapePointer(text: string): string {
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** RFC 7386: null removes, objects merge, anything else replaces. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

/** As RFC 7386, but for conditions: these are merged by their type. */
export function applyStrategicMerge(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    const before = result[key];
    if (value === null) Reflect.deleteProperty(result, key);
    else if (key === 'conditions') result[key] = mergeByType(before, value);
    else result[key] = applyStrategicMerge(before, value);
  }
  return result;
}

function mergeByType(before: unknown, changes: unknown): unknown[] {
  const merged = new Map<unknown, unknown>();
  for (const entry of [before, changes].flatMap((list) => (Array.isArray(list) ? list : []))) {
    const type = childOf(entry, 'type');
    merged.set(type, applyMergePatch(merged.get(type), entry));
  }
  return [...merged.values()];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
