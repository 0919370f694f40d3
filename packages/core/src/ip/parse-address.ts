/**
 * The grammar of IP literals, exactly as Kubernetes reads them: leading zeros are decimal and of any
 * number, IPv4 may stand in the last 32 bits of IPv6, IPv4-mapped IPv6 is IPv4; no zone, brackets,
 * port, prefix length or blank. The first `.` or `:` decides the family. A parser that differs in a
 * single text would pick other addresses than upstream for the same node, and the parser of
 * ipaddr.js does: it reads `010` as octal and `0x10` as hexadecimal.
 *
 * Every address of every instance passes here, so the text is walked once, by character codes.
 */
import { addressOfWords, type IpAddress } from './address.ts';

/**
 * Longer texts are refused without parsing, because they come from machines that may be hostile.
 */
export const addressLengthMax = 1024;

/** Returns the address, or undefined if the text is not an address. */
export function parseAddress(text: string): IpAddress | undefined {
  if (text.length > addressLengthMax) return undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === dot) return parseIPv4(text);
    if (code === colon) return parseIPv6(text);
  }
  return undefined;
}

const dot = 0x2e;
const colon = 0x3a;

function parseIPv4(text: string): IpAddress | undefined {
  const word = parseDottedQuad(text, 0);
  return word === undefined ? undefined : addressOfWords([0, 0, 0xffff, word]);
}

/** The 32 bits of the dotted quad that reaches from `start` to the end of the text. */
function parseDottedQuad(text: string, start: number): number | undefined {
  let word = 0;
  let octets = 0;
  let octet = 0;
  let digits = 0;
  for (let at = start; at <= text.length; at++) {
    const code = at === text.length ? dot : text.charCodeAt(at);
    if (code === dot) {
      if (digits === 0) return undefined;
      word = word * 256 + octet;
      octets++;
      octet = 0;
      digits = 0;
    } else {
      const digit = code - 0x30;
      if (digit < 0 || digit > 9) return undefined;
      octet = octet * 10 + digit;
      if (octet > 255) return undefined;
      digits++;
    }
  }
  return octets === 4 ? word : undefined;
}

function parseIPv6(text: string): IpAddress | undefined {
  const groups: number[] = [];
  /** The number of groups before `::`, or -1 if there is none yet. */
  let gap = -1;
  let group = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = hexDigit(code);
    if (digit >= 0) {
      group = group * 16 + digit;
      if (group > 0xffff) return undefined;
      digits++;
      continue;
    }
    if (code === dot) {
      const quad = parseDottedQuad(text, at - digits);
      if (quad === undefined) return undefined;
      groups.push(quad >>> 16, quad & 0xffff);
      return addressOfGroups(groups, gap);
    }
    const isEmptyGroup = digits === 0 && at > 0;
    if (code !== colon || isEmptyGroup) return undefined;
    if (digits > 0) groups.push(group);
    group = 0;
    digits = 0;
    if (text.charCodeAt(at + 1) === colon) {
      if (gap >= 0) return undefined;
      gap = groups.length;
      at++;
    } else if (at === 0 || at === text.length - 1) {
      return undefined;
    }
  }
  if (digits > 0) groups.push(group);
  return addressOfGroups(groups, gap);
}

/** Returns the address of the groups, with the gap filled by zeros, at least one group. */
function addressOfGroups(groups: readonly number[], gap: number): IpAddress | undefined {
  const zeros = 8 - groups.length;
  if (gap < 0 ? zeros !== 0 : zeros < 1) return undefined;
  const wordAt = (index: number): number =>
    groupAt(index, groups, gap) * 0x10000 + groupAt(index + 1, groups, gap);
  return addressOfWords([wordAt(0), wordAt(2), wordAt(4), wordAt(6)]);
}

function groupAt(index: number, groups: readonly number[], gap: number): number {
  if (gap < 0 || index < gap) return groups[index] ?? 0;
  const zeros = 8 - groups.length;
  return index < gap + zeros ? 0 : (groups[index - zeros] ?? 0);
}

/** The value of a hexadecimal digit, or -1. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
