/**
 * The one write that gives a node its pod CIDRs. The API server never lets them change afterwards, so
 * their absence guards the patch as well as the UID: of two writers one fails, and a namesake never gets
 * its predecessor's blocks (P4). All families are written at once, or none.
 */
import { isDeepStrictEqual } from 'node:util';
import { type GuardedPatch, jsonPatch } from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';
import { isSameUid, nodeResource, testUid } from './node-resource.ts';

export interface PodCIDRsPatchInput {
  readonly name: string;
  readonly uid: string;
  /** The primary family first; `podCIDR` is the first entry. */
  readonly podCIDRs: readonly [string, ...string[]];
}

export function podCIDRsPatch({ name, uid, podCIDRs }: PodCIDRsPatchInput): GuardedPatch {
  return jsonPatch({
    resource: nodeResource(name),
    operations: [
      testUid(uid),
      { op: 'test', path: podCIDRsPath, value: null },
      { op: 'add', path: podCIDRPath, value: podCIDRs[0] },
      { op: 'add', path: podCIDRsPath, value: podCIDRs },
    ],
    isWritten: (live) =>
      isSameUid(live, uid) && isDeepStrictEqual(valueAt(live, podCIDRsPath), [...podCIDRs]),
  });
}

const podCIDRPath = jsonPointer('spec', 'podCIDR');
const podCIDRsPath = jsonPointer('spec', 'podCIDRs');
