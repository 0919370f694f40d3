/** RFC 6902 as in the API server, for the three operations in use. Applies all of them or none. */
import { isDeepStrictEqual } from 'node:util';
import type { GuardedPatch, PatchOperation } from './guarded-patch.ts';

/** None where nothing has to change. */
export function operationsOf(patch: GuardedPatch | undefined): readonly PatchOperation[] {
  return patch === undefined ? [] : JSON.parse(patch.body);
}

/** The patched copy, or `undefined` if a test fails or a path does not exist. */
export function patched<T>(document: T, operations: readonly PatchOperation[]): T | undefined {
  const copy = structuredClone(document);
  return operations.every((operation) => apply(copy, operation)) ? copy : undefined;
}

function apply(document: unknown, operation: PatchOperation): boolean {
  const segments = operation.path.split('/').slice(1);
  const keys = segments.map((text) => text.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce((outer: unknown, key) => isParent(outer) && outer[key], document);
  if (!isParent(parent)) return false;
  if (operation.op === 'test') return isDeepStrictEqual(parent[last] ?? null, operation.value);
  if (operation.op === 'remove' && !Object.hasOwn(parent, last)) return false;
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last);
    if (operation.op === 'remove') parent.splice(index, 1);
    else parent.splice(index, 0, operation.value);
  } else if (operation.op === 'remove') delete parent[last];
  else parent[last] = operation.value;
  return true;
}

function isParent(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
