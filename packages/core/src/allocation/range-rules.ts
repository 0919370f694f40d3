/**
 * The rules for ranges and block sizes of pod CIDRs. They apply to the flags and to the pools in
 * the `--config` file. A rule only says what is wrong; its caller knows the flag or the field.
 */
import { assert } from '../assert.ts';
import {
  type Cidr,
  compareCidrs,
  containsCidr,
  type Family,
  formatCidr,
  overlaps,
  parseCidr,
} from '../ip/index.ts';
import type { PoolRange } from './pool.ts';

/** The name of the pool of `--cluster-cidr` in metrics and events. */
export const flagPoolName = 'cluster-cidr';

/** Upstream's defaults. */
export const nodeMaskSizeDefaults: Readonly<Record<Family, number>> = { IPv4: 24, IPv6: 64 };

const addressBits: Readonly<Record<Family, number>> = { IPv4: 32, IPv6: 128 };

/** There may be one range, or one of each family. */
export function familiesProblem(
  ranges: readonly Cidr[],
  count: number = ranges.length,
): string | undefined {
  if (count > 2) return `has ${count} ranges`;
  const [first, second] = ranges.map(({ network }) => network.family);
  return first !== undefined && first === second ? `has two ${first} ranges` : undefined;
}

/**
 * The uses of addresses that no pod can have. Pods may use all others, even class E (240.0.0.0/4).
 */
const unusable: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0/8', 'is reserved for "this network"'],
  ['127.0.0.0/8', 'is for loopback'],
  ['169.254.0.0/16', 'is link-local'],
  ['224.0.0.0/4', 'is for multicast'],
  ['255.255.255.255/32', 'is for broadcast'],
  ['::/127', 'is unspecified and loopback'],
  ['fe80::/10', 'is link-local'],
  ['ff00::/8', 'is for multicast'],
]);

/** Pods of a node with such a block would have no network. */
export function unusableProblem(cidr: Cidr): string | undefined {
  for (const [text, use] of unusable) {
    const parsed = parseCidr(text);
    assert(parsed.kind === 'cidr', `${text} is not a network`);
    const given = formatCidr(cidr);
    if (!overlaps(parsed.cidr, cidr)) continue;
    const relation = containsCidr(parsed.cidr, cidr) ? 'lies in' : 'contains';
    const what = given === text ? `${given} ${use}` : `${given} ${relation} ${text}, which ${use}`;
    return `${what}. Use a private range, such as 10.244.0.0/16 or fd00:10:244::/48.`;
  }
  return undefined;
}

/** A block is neither larger than the range nor smaller than an address. */
export function sizeProblem(range: PoolRange): string | undefined {
  return hasBlocks(range)
    ? undefined
    : `${noBlocks(range)}. Use a size from ${possibleSizes(range)}.`;
}

/** The same for a default size, where the range may be the mistake. */
export function defaultSizeProblem(range: PoolRange, sizeName: string): string | undefined {
  return hasBlocks(range)
    ? undefined
    : `${noBlocks(range)}, the default. Use a larger range, or set ${sizeName} to a size from ${possibleSizes(range)}.`;
}

/** Whether the network overlaps every block of the range, so that no block can be used. */
export function coversAllBlocks(network: Cidr, { cidr, nodeMaskSize }: PoolRange): boolean {
  const isOneBlock = nodeMaskSize === cidr.prefixLength;
  return containsCidr(network, cidr) || (isOneBlock && overlaps(network, cidr));
}

export interface Overlap<Range> {
  /** The later one in the list. */
  readonly range: Range;
  readonly earlier: Range;
}

/** Finds ranges that overlap another one. Names each of them at least once, but not every pair. */
export function findOverlaps<Range extends Pick<PoolRange, 'cidr'>>(
  ranges: readonly Range[],
): readonly Overlap<Range>[] {
  const sorted = ranges
    .map((range, index) => ({ range, index }))
    .toSorted((a, b) => compareCidrs(a.range.cidr, b.range.cidr));
  const found: Overlap<Range>[] = [];
  let outer = sorted[0];
  for (const inner of sorted.slice(1)) {
    if (outer === undefined || !containsCidr(outer.range.cidr, inner.range.cidr)) outer = inner;
    else if (outer.index < inner.index) found.push({ range: inner.range, earlier: outer.range });
    else found.push({ range: outer.range, earlier: inner.range });
  }
  return found;
}

function hasBlocks({ cidr, nodeMaskSize }: PoolRange): boolean {
  return nodeMaskSize >= cidr.prefixLength && nodeMaskSize <= addressBits[cidr.network.family];
}

function noBlocks({ cidr, nodeMaskSize }: PoolRange): string {
  return `${formatCidr(cidr)} has no blocks of /${nodeMaskSize}`;
}

function possibleSizes({ cidr }: PoolRange): string {
  return `${cidr.prefixLength} to ${addressBits[cidr.network.family]}`;
}
