/**
 * Lists of node addresses as Kubernetes has them. The text of an address is the cloud's and passes
 * through unchanged; what it stands for is read once, when the list comes in. Order and text are
 * significant here: a node's list changed if any of it changed.
 */
import { type IpAddress, parseAddress } from '../ip/index.ts';

/** One entry of `status.addresses`. Kubernetes knows five types; others pass through. */
export interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

/** An entry whose text has been read: `ip` is absent where it is a name, or nonsense. */
export interface CloudAddress extends NodeAddress {
  readonly ip: IpAddress | undefined;
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
  return addresses.map(({ type, address }) => ({ type, address, ip: parseAddress(address) }));
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
    // The length keeps apart what would read the same when joined.
    const key = `${type.length} ${type}${address}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Most lists are, and of a few texts it shows sooner by comparing them than by hashing them. */
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
