/**
 * Translates `NO_PROXY` from the rules of Go, by which programs of Kubernetes read it, to those of Node.js: for Go, a name
 * stands for its subdomains too, and a CIDR for its addresses. Node.js knows ranges of IPv4 addresses only, so that CIDRs
 * of IPv6 are left out.
 */
import { formatAddress, networkOf, parseAddress, subnetAt, subnetCount } from '@tandem/core/ip';

export function nodeNoProxy(text: string): string {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.flatMap(nodeEntries).join(',');
}

function nodeEntries(entry: string): string[] {
  if (entry === '') return [];
  if (entry.includes('/')) return rangeOf(entry);
  return /^[.*]/.test(entry) ? [entry] : [entry, `*.${entry}`];
}

/** Like Go, accepts an address that is not the first of its network. */
function rangeOf(cidr: string): string[] {
  const [, text = '', length] = /^([\d.]+)\/(\d{1,2})$/.exec(cidr) ?? [];
  const address = parseAddress(text);
  if (address?.family !== 'IPv4' || Number(length) > 32) return [];
  const network = networkOf(address, Number(length));
  const index = subnetCount(network, 32) - 1;
  const last = subnetAt(network, { prefixLength: 32, index });
  return [`${formatAddress(network.network)}-${formatAddress(last.network)}`];
}
