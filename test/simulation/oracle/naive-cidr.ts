/**
 * Networks as plain intervals of whole numbers, read in the plainest way. Shares no code with the manager's and
 * knows only what plans draw: texts that an API server accepts.
 */
import type { PodFamily } from '../plan/index.ts';

export interface NaiveCidr {
  readonly family: PodFamily;
  readonly first: bigint;
  readonly last: bigint;
}

/** There are a few hundred texts in all worlds together, and each is read thousands of times. */
const known = new Map<string, NaiveCidr>();

export function naiveCidr(text: string): NaiveCidr {
  const cidr = known.get(text) ?? read(text);
  known.set(text, cidr);
  return cidr;
}

function read(text: string): NaiveCidr {
  const [address = '', length = ''] = text.split('/');
  const family = address.includes(':') ? 'IPv6' : 'IPv4';
  const bits = family === 'IPv6' ? 128 : 32;
  const first =
    family === 'IPv6' ? numberOf(wholeIPv6(address), 16n) : numberOf(address.split('.'), 8n);
  return { family, first, last: first + 2n ** BigInt(bits - Number(length)) - 1n };
}

export function doOverlap(a: NaiveCidr, b: NaiveCidr): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

export function contains(outer: NaiveCidr, inner: NaiveCidr): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

export function isEqual(a: NaiveCidr, b: NaiveCidr): boolean {
  return a.family === b.family && a.first === b.first && a.last === b.last;
}

/** The same for all spellings. */
export function valueOf({ family, first, last }: NaiveCidr): string {
  return `${family} ${first}-${last}`;
}

/** How many addresses it has. */
export function sizeOf({ first, last }: NaiveCidr): bigint {
  return last - first + 1n;
}

/** All eight groups, `::` written out. */
function wholeIPv6(address: string): readonly string[] {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  if (tail === undefined) return groups(head).map((group) => `0x${group}`);
  const missing = 8 - groups(head).length - groups(tail).length;
  const zeros = Array.from({ length: missing }, () => '0');
  return [...groups(head), ...zeros, ...groups(tail)].map((group) => `0x${group}`);
}

function numberOf(parts: readonly string[], bitsInPart: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bitsInPart) + BigInt(part), 0n);
}
