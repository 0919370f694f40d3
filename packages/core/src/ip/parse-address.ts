/**
 * The grammar of IP literals, exactly as Kubernetes reads them: leading zeros are decimal and of any
 * number, IPv4 may stand in the last 32 bits of IPv6, IPv4-mapped IPv6 is IPv4; no zone, brackets,
 * port, prefix length or blank. The first `.` or `:` decides the family. A parser that differs in a
 * single text would pick other addresses than upstream for the same node, and the parser of
 * ipaddr.js does: it reads `010` as octal and `0x10` as hexadecimal.
 */
import { addressOfWords, type IpAddress } from './address.ts';

/** No more than this is looked at: texts come from machines that may be hostile. */
export const addressLengthMax = 1024;

/** The address that the text stands for, or nothing if it is not one. */
export function parseAddress(text: string): IpAddress | undefined {
  if (text.length > addressLengthMax) return undefined;
  const separator = /[.:]/.exec(text)?.[0];
  if (separator === '.') return parseIPv4(text);
  return separator === ':' ? parseIPv6(text) : undefined;
}

function parseIPv4(text: string): IpAddress | undefined {
  const word = parseDottedQuad(text);
  return word === undefined ? undefined : addressOfWords([0, 0, 0xffff, word]);
}

function parseDottedQuad(text: string): number | undefined {
  const match = dottedQuad.exec(text);
  if (match === null) return undefined;
  let word = 0;
  for (let index = 1; index <= 4; index++) {
    const octet = Number(match[index]);
    if (octet > 255) return undefined;
    word = word * 256 + octet;
  }
  return word;
}

const dottedQuad = /^([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)$/;

function parseIPv6(text: string): IpAddress | undefined {
  const gap = text.indexOf('::');
  if (gap < 0) {
    const groups = parseGroups(text);
    return groups?.length === 8 ? addressOfGroups(groups) : undefined;
  }
  const before = text.slice(0, gap);
  // A dotted quad may only stand at the very end, so not before the gap.
  if (before.includes('.')) return undefined;
  const head = parseGroups(before);
  const tail = parseGroups(text.slice(gap + 2));
  if (head === undefined || tail === undefined) return undefined;
  const zeros = 8 - head.length - tail.length;
  if (zeros < 1) return undefined;
  return addressOfGroups([...head, ...Array.from({ length: zeros }, () => 0), ...tail]);
}

/** The 16-bit groups of a part without `::`; a dotted quad at its end counts as two. */
function parseGroups(text: string): number[] | undefined {
  const groups: number[] = [];
  if (text === '') return groups;
  const pieces = text.split(':');
  const quad = pieces.at(-1)?.includes('.') ? pieces.pop() : undefined;
  for (const piece of pieces) {
    if (!hexadecimal.test(piece)) return undefined;
    const group = Number.parseInt(piece, 16);
    if (group > 0xffff) return undefined;
    groups.push(group);
  }
  if (quad !== undefined) {
    const word = parseDottedQuad(quad);
    if (word === undefined) return undefined;
    groups.push(word >>> 16, word & 0xffff);
  }
  return groups;
}

const hexadecimal = /^[0-9a-fA-F]+$/;

function addressOfGroups(groups: readonly number[]): IpAddress {
  const word = (index: number): number => (groups[index] ?? 0) * 0x10000 + (groups[index + 1] ?? 0);
  return addressOfWords([word(0), word(2), word(4), word(6)]);
}
