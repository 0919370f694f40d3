/** Builds the section of `/statusz` about pod CIDRs: the blocks of every range, the waiting nodes, and the problems. */
import { findPool, type PodCIDRPool, type RangeCounts } from '@tandem/core/allocation';
import { formatCidr } from '@tandem/core/ip';

export interface PoolSection {
  readonly title: string;
  readonly rows: readonly PoolRow[];
  readonly notes: readonly string[];
}

/** One range of a pool. Nodes wait for a pool, not for a range, so all ranges of a pool show the same number. */
export type PoolRow = Readonly<
  Record<'pool' | 'range', string> &
    Record<'capacity' | 'bound' | 'in doubt' | 'excluded' | 'free' | 'waiting nodes', number>
>;

export const poolSectionTitle = 'Pod CIDR pools';

export interface PoolSectionInput {
  /** Empty if the cloud assigns the blocks. */
  readonly pools: readonly PodCIDRPool[];
  /** Undefined while the controller must not allocate yet. */
  readonly ranges: readonly RangeCounts[] | undefined;
  /** The labels of each node that waits for a block. */
  readonly waiting: readonly Readonly<Record<string, string>>[];
  /** The code of every problem of every node. */
  readonly problems: readonly string[];
}

export function poolSection(input: PoolSectionInput): PoolSection {
  const { pools, ranges, waiting, problems } = input;
  const title = poolSectionTitle;
  if (ranges === undefined) return { title, rows: [], notes: [notAllocatingYet] };
  const awaited = waiting.map((labels) => findPool(pools, labels)?.name);
  const rows = ranges.map(({ pool, range, counts }) => ({
    pool,
    range: formatCidr(range),
    capacity: counts.capacity,
    bound: counts.bound,
    'in doubt': counts.inDoubt,
    excluded: counts.excluded,
    free: counts.free,
    'waiting nodes': awaited.filter((name) => name === pool).length,
  }));
  return { title, rows, notes: [...waitingNotes(pools, awaited), ...problemNotes(problems)] };
}

const notAllocatingYet =
  'Nothing is allocated yet: the last write of the previous leader may still be stored, or the list of nodes is not complete.';

function waitingNotes(
  pools: readonly PodCIDRPool[],
  awaited: readonly (string | undefined)[],
): readonly string[] {
  const unserved = awaited.filter((name) => name === undefined).length;
  if (pools.length === 0) return [`The cloud assigns the blocks. Nodes that wait: ${unserved}.`];
  return unserved === 0 ? [] : [`Nodes that no pool selects: ${unserved}.`];
}

function problemNotes(problems: readonly string[]): readonly string[] {
  const byCode = Map.groupBy(problems.toSorted(), (code) => code);
  return Array.from(byCode, ([code, nodes]) => `Nodes with ${code}: ${nodes.length}.`);
}
