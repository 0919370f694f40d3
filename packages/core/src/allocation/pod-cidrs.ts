/**
 * Parses the podCIDRs of a node. The API server accepts some texts that are not canonical networks.
 */
import { type Cidr, networkOf, parseAddress } from '../ip/index.ts';

/** One of a node's podCIDRs, without a value if the text is not a network. */
export interface PodCIDR {
  readonly text: string;
  readonly cidr: Cidr | undefined;
}

/**
 * Upstream reads `::ffff:10.244.1.0/120` as `10.244.1.0/24`: the first 96 of its 128 bits mark it
 * as IPv4.
 */
const mappedBits = 96;

/** Bits beyond the prefix length are dropped, as the API server and kubelet do. */
export function readPodCIDR(text: string): PodCIDR {
  const [addressText = '', lengthText = '', ...rest] = text.split('/');
  const address = parseAddress(addressText);
  if (address === undefined || rest.length > 0 || !/^\d{1,3}$/.test(lengthText)) {
    return { text, cidr: undefined };
  }
  const bits = address.family === 'IPv4' ? 32 : 128;
  const isMapped = address.family === 'IPv4' && addressText.includes(':');
  const prefixLength = Number(lengthText) - (isMapped ? mappedBits : 0);
  const isLength = prefixLength >= 0 && prefixLength <= bits;
  return { text, cidr: isLength ? networkOf(address, prefixLength) : undefined };
}

/** Returns the parsed values, without texts that are not networks. */
export function cidrsOf(podCIDRs: readonly PodCIDR[]): Cidr[] {
  return podCIDRs.flatMap(({ cidr }) => cidr ?? []);
}
