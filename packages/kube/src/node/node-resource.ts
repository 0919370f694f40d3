/** Which node a patch is for: its name says where it goes, its UID that it is still the same one. */
import type { Resource } from '../client/index.ts';
import type { PatchOperation } from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';

export function nodeResource(name: string): Resource {
  return { group: '', version: 'v1', resource: 'nodes', name };
}

/** The first operation of every patch of a node. */
export function testUid(uid: string): PatchOperation {
  return { op: 'test', path: uidPath, value: uid };
}

export function isSameUid(live: unknown, uid: string): boolean {
  return valueAt(live, uidPath) === uid;
}

const uidPath = jsonPointer('metadata', 'uid');
