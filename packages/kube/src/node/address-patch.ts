/**
 * The first of the writes that initialise a node, and the one that keeps its addresses true: the
 * whole list is replaced, because a strategic merge goes by `type` and corrupts two InternalIPs. It is
 * guarded by the UID, so that a namesake never gets its predecessor's addresses (P2), and by the list
 * that it was decided on, so that a cache that is behind decides nothing (P5): after a change of
 * leader it may not show yet what was written before.
 */
import { isDeepStrictEqual } from 'node:util';
import type { NodeAddress } from '@tandem/core/node-address';
import type { JsonPatch, PatchOperation } from '../patch/guarded-patch.ts';
import { jsonPointer, valueAt } from '../patch/json-pointer.ts';
import { isSameUid, nodeResource, testUid } from './node-resource.ts';

export interface AddressPatchInput {
  readonly name: string;
  readonly uid: string;
  /** The list that the node was last seen with. */
  readonly seen: readonly NodeAddress[];
  readonly addresses: readonly NodeAddress[];
}

export function addressPatch({ name, uid, seen, addresses }: AddressPatchInput): JsonPatch {
  const value = plainAddresses(addresses);
  return {
    resource: { ...nodeResource(name), subresource: 'status' },
    operations: [testUid(uid), ...testSeen(seen), { op: 'add', path: addressesPath, value }],
    isWritten: (live) =>
      isSameUid(live, uid) && isDeepStrictEqual(valueAt(live, addressesPath), value),
  };
}

export const addressesPath: string = jsonPointer('status', 'addresses');

/** Of a node without any there is nothing to compare: a field that is absent has many forms. */
function testSeen(seen: readonly NodeAddress[]): PatchOperation[] {
  if (seen.length === 0) return [];
  return [{ op: 'test', path: addressesPath, value: plainAddresses(seen) }];
}

/** Callers keep more with an address than the API server knows, and a guard compares all of it. */
export function plainAddresses(addresses: readonly NodeAddress[]): NodeAddress[] {
  return addresses.map(({ type, address }) => ({ type, address }));
}
