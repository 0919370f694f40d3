/**
 * The first write of an initialisation, and the write that corrects addresses later. It replaces the
 * whole list, because a strategic merge uses `type` as the key and corrupts two InternalIPs. The UID guards
 * it, so that a namesake never gets its predecessor's addresses (P2). The last observed list guards it too,
 * so that an outdated cache decides nothing (P5): after a change of leader the cache may not show the last
 * write yet.
 */
import { isDeepStrictEqual } from 'node:util';
import type { NodeAddress } from '@tandem/core/node-address';
import { type GuardedPatch, jsonPatch, type PatchOperation } from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';
import { isSameUid, nodeResource, testUid } from './node-resource.ts';

export interface AddressPatchInput {
  readonly name: string;
  readonly uid: string;
  /** The last observed list. */
  readonly seen: readonly NodeAddress[];
  readonly addresses: readonly NodeAddress[];
}

export function addressPatch({ name, uid, seen, addresses }: AddressPatchInput): GuardedPatch {
  const writing = { op: 'add', path: addressesPath, value: plainAddresses(addresses) } as const;
  return jsonPatch({
    resource: { ...nodeResource(name), subresource: 'status' },
    operations: [testUid(uid), ...testSeen(seen), writing],
    isWritten: (live) =>
      isSameUid(live, uid) &&
      isDeepStrictEqual(valueAt(live, addressesPath), plainAddresses(addresses)),
  });
}

export const addressesPath: string = jsonPointer('status', 'addresses');

/** An empty list has no guard: an absent field has several forms. */
function testSeen(seen: readonly NodeAddress[]): PatchOperation[] {
  if (seen.length === 0) return [];
  return [{ op: 'test', path: addressesPath, value: plainAddresses(seen) }];
}

/**
 * Callers keep more fields in an address than the API server knows, and a guard compares all fields.
 */
export function plainAddresses(addresses: readonly NodeAddress[]): NodeAddress[] {
  return addresses.map(({ type, address }) => ({ type, address }));
}
