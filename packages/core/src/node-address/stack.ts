/**
 * The stack of a node as its consumers see it: kube-proxy, the scheduler, network plug-ins and kubelet
 * itself take the first InternalIP, else the first ExternalIP, as the node's IP, and the first later one
 * of the other family as its second. InternalIPs always come before ExternalIPs in this order.
 */
import type { Family } from '../ip/index.ts';
import type { CloudAddress } from './address-list.ts';
import type { Request } from './request.ts';

export type Stack = 'SS IPv4' | 'SS IPv6' | 'DS IPv4-primary' | 'DS IPv6-primary';

/** Returns the entries of the node IPs: none, one, or the primary and one of the other family. */
export function nodeIPsOf(addresses: readonly CloudAddress[]): readonly CloudAddress[] {
  const primary = findIP(addresses, undefined);
  if (primary === undefined) return [];
  const secondary = findIP(addresses, primary.ip?.family);
  return secondary === undefined ? [primary] : [primary, secondary];
}

export function stackOf(addresses: readonly CloudAddress[]): Stack | null {
  const [primary, secondary] = nodeIPsOf(addresses);
  return nameStack(primary?.ip?.family, secondary?.ip?.family);
}

/** Returns the stack that a request with a family token names. */
export function stackAskedBy([first, second]: Request): Stack | null {
  return nameStack(first.family, second?.family);
}

function nameStack(primary: Family | undefined, secondary: Family | undefined): Stack | null {
  if (primary === undefined) return null;
  return secondary === undefined ? `SS ${primary}` : `DS ${primary}-primary`;
}

/** The first IP of another family among the InternalIPs, or else among the ExternalIPs. */
function findIP(
  addresses: readonly CloudAddress[],
  otherThan: Family | undefined,
): CloudAddress | undefined {
  let external: CloudAddress | undefined;
  for (const entry of addresses) {
    if (entry.ip === undefined || entry.ip.family === otherThan) continue;
    if (entry.type === 'InternalIP') return entry;
    if (entry.type === 'ExternalIP') external ??= entry;
  }
  return external;
}
