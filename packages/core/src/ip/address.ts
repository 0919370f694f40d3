/**
 * An IP address as a value: 128 bits and a family. IPv4 is held in its IPv4-mapped form, so that
 * `::ffff:10.0.0.1` and `10.0.0.1` are one address, as they are to Kubernetes. Only the parser makes
 * one; everything else compares, classifies and prints.
 */
import ipaddr from 'ipaddr.js';

export type Family = 'IPv4' | 'IPv6';

/** Ensures that addresses are only made by the parser. */
const parsed: unique symbol = Symbol('parsed');

export interface IpAddress {
  readonly family: Family;
  /** The 128 bits as four unsigned words, highest first. */
  readonly words: Words;
  readonly [parsed]: true;
}

export type Words = readonly [number, number, number, number];

/** For the parsers of this folder: the address of these bits. */
export function addressOfWords(words: Words): IpAddress {
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return { family: isMapped ? 'IPv4' : 'IPv6', words, [parsed]: true };
}

export function isSameAddress(a: IpAddress, b: IpAddress): boolean {
  return (
    a.words[3] === b.words[3] &&
    a.words[2] === b.words[2] &&
    a.words[1] === b.words[1] &&
    a.words[0] === b.words[0]
  );
}

/** Orders addresses by their 128 bits, so that IPv4 sorts as its IPv4-mapped form. */
export function compareAddresses(a: IpAddress, b: IpAddress): number {
  return (
    a.words[0] - b.words[0] ||
    a.words[1] - b.words[1] ||
    a.words[2] - b.words[2] ||
    a.words[3] - b.words[3]
  );
}

/** The canonical text: a dotted quad, or the form of RFC 5952 for IPv6. */
export function formatAddress(address: IpAddress): string {
  if (address.family === 'IPv4') return formatQuad(address.words[3]);
  const groups = address.words.flatMap((word) => [word >>> 16, word & 0xffff]);
  return new ipaddr.IPv6(groups).toRFC5952String();
}

export type SpecialUse = 'unspecified' | 'loopback' | 'multicast' | 'link-local';

/** The special use because of which no other machine can reach the address, or undefined. */
export function specialUseOf(address: IpAddress): SpecialUse | undefined {
  return address.family === 'IPv4'
    ? specialUseOfIPv4(address.words[3])
    : specialUseOfIPv6(address.words);
}

function specialUseOfIPv4(word: number): SpecialUse | undefined {
  if (word === 0) return 'unspecified';
  if (word >>> 24 === 127) return 'loopback';
  if (word >>> 28 === 0xe) return 'multicast';
  if (word >>> 16 === 0xa9fe) return 'link-local';
  return undefined;
}

function specialUseOfIPv6(words: Words): SpecialUse | undefined {
  const isBelowTwo = words[0] === 0 && words[1] === 0 && words[2] === 0;
  if (isBelowTwo && words[3] === 0) return 'unspecified';
  if (isBelowTwo && words[3] === 1) return 'loopback';
  if (words[0] >>> 24 === 0xff) return 'multicast';
  if (words[0] >>> 22 === 0xfe80 >>> 6) return 'link-local';
  return undefined;
}

function formatQuad(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`;
}
