/**
 * Lists of node addresses in the format of Kubernetes. The text of an address comes from the cloud
 * and is never changed; it is parsed once, when the list is read. Order and text are significant:
 * any difference is a change of the node's list.
 */
import { type IpAddress, parseAddress } from '../ip/index.ts';

/** One entry of `status.addresses`. Kubernetes knows five types; others pass through. */
export interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

/** An entry with its parsed text. */
export interface CloudAddress extends NodeAddress {
  /** Undefined if the text is not an IP address. */
  readonly ip: IpAddress | undefined;
  /** The entry that was parsed. Results refer to it, so that they keep no parsed address. */
  readonly entry: NodeAddress;
}

export const nodeAddressTypes = [
  'InternalIP',
  'ExternalIP',
  'Hostname',
  'InternalDNS',
  'ExternalDNS',
] as const;

/** Parses the IP address of every entry; a name has none. */
export function readAddresses(addresses: readonly NodeAddress[]): CloudAddress[] {
  return addresses.map((entry) => {
    const { type, address } = entry;
    return { type, address, ip: parseAddress(address), entry };
  });
}

/** Exact and ordered: two dual-stack lists in another order are two lists. */
export function isSameList(a: readonly NodeAddress[], b: readonly NodeAddress[]): boolean {
  return (
    a.length === b.length &&
    a.every((entry, index) => {
      const other = b[index];
      return other !== undefined && isSameEntry(entry, other);
    })
  );
}

/** The first of each (type, text): the API server refuses a node that has one twice. */
export function withoutDuplicates<T extends NodeAddress>(addresses: readonly T[]): readonly T[] {
  if (isShortAndDistinct(addresses)) return addresses;
  const seen = new Set<string>();
  return addresses.filter(({ type, address }) => {
    // The length distinguishes entries that would otherwise have the same key.
    const key = `${type.length} ${type}${address}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Most lists are short and distinct, and comparing a few texts is faster than hashing them. */
function isShortAndDistinct(addresses: readonly NodeAddress[]): boolean {
  if (addresses.length > 8) return false;
  for (let at = 1; at < addresses.length; at++) {
    const text = addresses[at]?.address;
    for (let before = 0; before < at; before++) {
      if (addresses[before]?.address === text) return false;
    }
  }
  return true;
}

function isSameEntry(a: NodeAddress, b: NodeAddress): boolean {
  return a.type === b.type && a.address === b.address;
}
