/**
 * The stack of a node as its consumers see it: kube-proxy, the scheduler, network plug-ins and
 * kubelet itself take the first InternalIP, else the first ExternalIP, as the node's IP, and the
 * first later one of the other family as its second. InternalIPs always come before ExternalIPs,
 * whatever their order in the list.
 */
import type { IpAddress } from '../ip/index.ts';
import type { CloudAddress } from './address-list.ts';
import type { Request } from './request.ts';

export type Stack = 'SS IPv4' | 'SS IPv6' | 'DS IPv4-primary' | 'DS IPv6-primary';

/** The node's IPs: none, its only one, or the primary and the one of the other family. */
export function nodeIPsOf(addresses: readonly CloudAddress[]): IpAddress[] {
  const ips = [...ipsOfType(addresses, 'InternalIP'), ...ipsOfType(addresses, 'ExternalIP')];
  const [primary] = ips;
  if (primary === undefined) return [];
  const secondary = ips.find((ip) => ip.family !== primary.family);
  return secondary === undefined ? [primary] : [primary, secondary];
}

export function stackOf(addresses: readonly CloudAddress[]): Stack | null {
  return nameStack(nodeIPsOf(addresses));
}

/** The stack that a request with a family token asks for. */
export function stackAskedBy(request: Request): Stack | null {
  return nameStack(request);
}

function nameStack(members: readonly { readonly family: IpAddress['family'] }[]): Stack | null {
  const [primary, secondary] = members;
  if (primary === undefined) return null;
  return secondary === undefined ? `SS ${primary.family}` : `DS ${primary.family}-primary`;
}

function ipsOfType(addresses: readonly CloudAddress[], type: string): IpAddress[] {
  const ips: IpAddress[] = [];
  for (const entry of addresses) {
    if (entry.type === type && entry.ip !== undefined) ips.push(entry.ip);
  }
  return ips;
}
