/**
 * A network prefix as a value. Its address has no bits set beyond the prefix; a text that has some
 * is refused, because it is as likely a mistyped length as a mistyped address.
 */
import { assert } from '../assert.ts';
import {
  addressOfWords,
  compareAddresses,
  formatAddress,
  type IpAddress,
  type Words,
} from './address.ts';
import { parseAddress } from './parse-address.ts';

export interface Cidr {
  readonly network: IpAddress;
  /** Of the family's own bits: at most 32 for IPv4, 128 for IPv6. */
  readonly prefixLength: number;
}

export type ParsedCidr =
  | { readonly kind: 'cidr'; readonly cidr: Cidr }
  | {
      readonly kind: 'invalid';
      readonly reason: string;
      /** Set if the only fault is bits beyond the prefix length. */
      readonly network?: Cidr;
    };

export function parseCidr(text: string): ParsedCidr {
  const slash = text.indexOf('/');
  if (slash < 0)
    return invalid(
      'has no prefix length; expected a network such as 192.0.2.0/24 or 2001:db8::/64',
    );
  const addressText = text.slice(0, slash);
  const address = parseAddress(addressText);
  if (address === undefined) return invalid('does not start with an IP address');
  if (address.family === 'IPv4' && addressText.includes(':')) {
    return invalid('is an IPv4-mapped network; write it as IPv4');
  }
  const bits = bitsOf(address);
  const lengthText = text.slice(slash + 1);
  const prefixLength = /^(0|[1-9][0-9]{0,2})$/.test(lengthText) ? Number(lengthText) : bits + 1;
  if (prefixLength > bits) return invalid(`needs a prefix length from 0 to ${bits}`);
  const cidr = networkOf(address, prefixLength);
  if (cidr.network.words.some((word, index) => word !== address.words[index])) {
    const reason = `has bits set beyond its prefix length; the network is ${formatCidr(cidr)}`;
    return { kind: 'invalid', reason, network: cidr };
  }
  return { kind: 'cidr', cidr };
}

/** The network of this prefix length that contains the address. */
export function networkOf(address: IpAddress, prefixLength: number): Cidr {
  return { network: maskAddress(address, prefixLength), prefixLength };
}

/** The network that contains only this address. */
export function cidrOfAddress(address: IpAddress): Cidr {
  return { network: address, prefixLength: bitsOf(address) };
}

export function containsAddress({ network, prefixLength }: Cidr, address: IpAddress): boolean {
  if (network.family !== address.family) return false;
  const kept = keptBits(network, prefixLength);
  const [first, second, third, fourth] = network.words;
  const { words } = address;
  return (
    ((words[0] ^ first) & maskOf(kept)) === 0 &&
    ((words[1] ^ second) & maskOf(kept - 32)) === 0 &&
    ((words[2] ^ third) & maskOf(kept - 64)) === 0 &&
    ((words[3] ^ fourth) & maskOf(kept - 96)) === 0
  );
}

/** Whether every address of `inner` is one of `outer`; a network contains itself. */
export function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return inner.prefixLength >= outer.prefixLength && containsAddress(outer, inner.network);
}

/** Whether the two share an address. Prefixes do so only when one contains the other. */
export function overlaps(a: Cidr, b: Cidr): boolean {
  return containsCidr(a, b) || containsCidr(b, a);
}

/** Orders networks: IPv4 before IPv6, then by address, then the larger network first. */
export function compareCidrs(a: Cidr, b: Cidr): number {
  if (a.network.family !== b.network.family) return a.network.family === 'IPv4' ? -1 : 1;
  return compareAddresses(a.network, b.network) || a.prefixLength - b.prefixLength;
}

/** The number of networks of this prefix length in the network: a power of two. */
export function subnetCount(cidr: Cidr, prefixLength: number): number {
  const isLonger = prefixLength >= cidr.prefixLength && prefixLength <= bitsOf(cidr.network);
  assert(Number.isInteger(prefixLength) && isLonger, 'a subnet larger than the network');
  return 2 ** (prefixLength - cidr.prefixLength);
}

/** The network of that prefix length at the index, counted from 0 at the lowest address. */
export function subnetAt(
  cidr: Cidr,
  { prefixLength, index }: { readonly prefixLength: number; readonly index: number },
): Cidr {
  const isIndex = Number.isSafeInteger(index) && index >= 0;
  assert(isIndex && index < subnetCount(cidr, prefixLength), 'a subnet beyond the network');
  // Both halves of the index are moved to where the prefix ends, counted from the lowest bit.
  const shift = bitsOf(cidr.network) - prefixLength;
  const low = shiftedWords(index >>> 0, shift);
  const high = shiftedWords(Math.floor(index / 2 ** 32), shift + 32);
  const [first, second, third, fourth] = cidr.network.words;
  const words: Words = [
    (first | low[0] | high[0]) >>> 0,
    (second | low[1] | high[1]) >>> 0,
    (third | low[2] | high[2]) >>> 0,
    (fourth | low[3] | high[3]) >>> 0,
  ];
  return { network: addressOfWords(words), prefixLength };
}

/** Counted from 0 at the lowest address: the network of that prefix length that holds the address. */
export function subnetIndexOf(
  cidr: Cidr,
  { prefixLength, address }: { readonly prefixLength: number; readonly address: IpAddress },
): number {
  assert(containsAddress(cidr, address), 'an address outside the network');
  assert(subnetCount(cidr, prefixLength) <= 2 ** 53, 'more subnets than a number can count');
  const above = 128 - bitsOf(address);
  let index = 0;
  for (const [at, word] of address.words.entries()) {
    // The bits of this word, counted from the highest of all 128, that lie between both lengths.
    const first = Math.max(above + cidr.prefixLength, 32 * at);
    const end = Math.min(above + prefixLength, 32 * at + 32);
    if (first < end) {
      const part = (word >>> (32 * at + 32 - end)) % 2 ** (end - first);
      index = index * 2 ** (end - first) + part;
    }
  }
  return index;
}

/**
 * A short key of the network for maps: equal keys mean equal values. It is not readable, and much
 * cheaper than the canonical text.
 */
export function cidrKey({ network: { family, words }, prefixLength }: Cidr): string {
  return family === 'IPv4'
    ? `${words[3]}/${prefixLength}`
    : `${words[0]}.${words[1]}.${words[2]}.${words[3]}/${prefixLength}`;
}

export function formatCidr(cidr: Cidr): string {
  return `${formatAddress(cidr.network)}/${cidr.prefixLength}`;
}

function bitsOf(address: IpAddress): 32 | 128 {
  return address.family === 'IPv4' ? 32 : 128;
}

/** Shifts a word up within the 128 bits. Bits beyond the highest word are dropped. */
function shiftedWords(word: number, shift: number): Words {
  const at = (lowest: number): number => {
    const up = shift - lowest;
    if (up >= 32 || up <= -32) return 0;
    return up >= 0 ? word << up : word >>> -up;
  };
  return [at(96), at(64), at(32), at(0)];
}

function maskAddress(address: IpAddress, prefixLength: number): IpAddress {
  const kept = keptBits(address, prefixLength);
  const [first, second, third, fourth] = address.words;
  const words: Words = [
    (first & maskOf(kept)) >>> 0,
    (second & maskOf(kept - 32)) >>> 0,
    (third & maskOf(kept - 64)) >>> 0,
    (fourth & maskOf(kept - 96)) >>> 0,
  ];
  return addressOfWords(words);
}

/** IPv4 is held in the lowest word of the 128 bits; the 96 above it are always kept. */
function keptBits(address: IpAddress, prefixLength: number): number {
  return 128 - bitsOf(address) + prefixLength;
}

/** A mask of the highest bits of a word: none for 0 or less, all for 32 or more. */
function maskOf(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : -1 << (32 - bits);
}

function invalid(reason: string): ParsedCidr {
  return { kind: 'invalid', reason };
}
