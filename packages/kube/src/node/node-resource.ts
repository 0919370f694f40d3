/** The resource of a node and its UID guard. */
import type { Resource } from '../client/index.ts';
import type { PatchOperation } from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';

export function nodeResource(name: string): Resource {
  return { group: '', version: 'v1', resource: 'nodes', name };
}

export function testUid(uid: string): PatchOperation {
  return { op: 'test', path: uidPath, value: uid };
}

export function isSameUid(live: unknown, uid: string): boolean {
  return valueAt(live, uidPath) === uid;
}

const uidPath = jsonPointer('metadata', 'uid');
