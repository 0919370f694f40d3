/**
 * A network prefix as a value. Its address has no bits set beyond the prefix; a text that has some
 * is refused, because it is as likely a mistyped length as a mistyped address.
 */
import { addressOfWords, formatAddress, type IpAddress, type Words } from './address.ts';
import { parseAddress } from './parse-address.ts';

export interface Cidr {
  readonly network: IpAddress;
  /** Of the family's own bits: at most 32 for IPv4, 128 for IPv6. */
  readonly prefixLength: number;
}

export type ParsedCidr =
  | { readonly kind: 'cidr'; readonly cidr: Cidr }
  | { readonly kind: 'invalid'; readonly reason: string };

export function parseCidr(text: string): ParsedCidr {
  const slash = text.indexOf('/');
  if (slash < 0) return invalid('has no prefix length, as in 192.0.2.0/24 or 2001:db8::/64');
  const addressText = text.slice(0, slash);
  const address = parseAddress(addressText);
  if (address === undefined) return invalid('does not start with an IP address');
  if (address.family === 'IPv4' && addressText.includes(':')) {
    return invalid('is an IPv4-mapped prefix; write it as IPv4');
  }
  const bits = bitsOf(address);
  const lengthText = text.slice(slash + 1);
  const prefixLength = /^(0|[1-9][0-9]{0,2})$/.test(lengthText) ? Number(lengthText) : bits + 1;
  if (prefixLength > bits) return invalid(`needs a prefix length from 0 to ${bits}`);
  const network = maskAddress(address, prefixLength);
  const cidr = { network, prefixLength };
  if (network.words.some((word, index) => word !== address.words[index])) {
    return invalid(`has bits set beyond its prefix; the network is ${formatCidr(cidr)}`);
  }
  return { kind: 'cidr', cidr };
}

/** The prefix that holds this one address only. */
export function cidrOfAddress(address: IpAddress): Cidr {
  return { network: address, prefixLength: bitsOf(address) };
}

export function containsAddress(cidr: Cidr, address: IpAddress): boolean {
  if (cidr.network.family !== address.family) return false;
  const masked = maskAddress(address, cidr.prefixLength);
  return masked.words.every((word, index) => word === cidr.network.words[index]);
}

export function formatCidr(cidr: Cidr): string {
  return `${formatAddress(cidr.network)}/${cidr.prefixLength}`;
}

function bitsOf(address: IpAddress): 32 | 128 {
  return address.family === 'IPv4' ? 32 : 128;
}

function maskAddress(address: IpAddress, prefixLength: number): IpAddress {
  // IPv4 is held in the lowest word of the 128 bits; the 96 above it are always kept.
  const kept = 128 - bitsOf(address) + prefixLength;
  const keep = (word: number, index: number): number => {
    const bits = Math.min(Math.max(kept - 32 * index, 0), 32);
    return bits === 0 ? 0 : (word & (-1 << (32 - bits))) >>> 0;
  };
  const [first, second, third, fourth] = address.words;
  const words: Words = [keep(first, 0), keep(second, 1), keep(third, 2), keep(fourth, 3)];
  return addressOfWords(words);
}

function invalid(reason: string): ParsedCidr {
  return { kind: 'invalid', reason };
}
