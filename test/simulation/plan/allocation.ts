/**
 * The pod CIDRs of a world: pools that hardly fit their nodes, service ranges, and what nodes have when they
 * register. The blocks of a pool are numbered from 0, the same in every family.
 */
export interface AllocationPlan {
  /** In the order in which nodes are matched; the last one is for all nodes. */
  readonly pools: readonly PlannedPool[];
  /** At most one of each family. */
  readonly serviceRanges: readonly string[];
  /** The machines whose nodes have the label of the first of two pools. */
  readonly labelled: readonly string[];
  /** What some nodes have when they register, by name. */
  readonly registered: ReadonlyMap<string, readonly string[]>;
}

export interface PlannedPool {
  readonly name: string;
  /** In the order in which a node's podCIDRs stand. */
  readonly ranges: readonly PlannedRange[];
}

interface PlannedRange {
  readonly family: PodFamily;
  readonly cidr: string;
}

export type PodFamily = 'IPv4' | 'IPv6';

/** What nodes have that the first of two pools is for. */
export const poolLabel = { key: 'pool', value: 'edge' } as const;

/** The prefix length of a block, in every world. */
export const blockLengths: Readonly<Record<PodFamily, number>> = { IPv4: 24, IPv6: 64 };

/** So many blocks in a row: two to the power of `bits`, beginning with a multiple of that. */
export interface Blocks {
  /** Tells networks of different pools apart. */
  readonly pool: number;
  readonly first: number;
  readonly bits: number;
}

export function cidrOfBlocks(family: PodFamily, { pool, first, bits }: Blocks): string {
  const length = blockLengths[family] - bits;
  if (family === 'IPv4') return `10.${pool}.${first}.0/${length}`;
  const subnet = first === 0 ? '' : `:${first.toString(16)}`;
  return `fd00:10:${pool}${subnet}::/${length}`;
}

/** The same IPv6 network as people write it who do not abbreviate; an IPv4 network has one spelling. */
export function spelledOut(cidr: string): string {
  const [network = '', length = ''] = cidr.split('/');
  const [head = ''] = network.split('::');
  if (!network.endsWith('::')) return cidr;
  const groups = head.toUpperCase().split(':');
  const zeros = Array.from({ length: 8 - groups.length }, () => '0');
  return `${[...groups, ...zeros].join(':')}/${length}`;
}
