/** The pools of pod CIDRs below the table: a line for each, or a summary where there is no room. */
import type { Pool, PoolRange } from '../demo/index.ts';

/** `Pool small: 1 of 1 bound in 10.60.0.0/24, 1 of 1 in fd60::/64, 1 node waits` */
export function poolTexts(pools: readonly Pool[]): readonly string[] {
  return pools.map(({ name, waiting, ranges }) => {
    const counts = ranges.map(
      ({ cidr, capacity, bound, inDoubt }, index) =>
        `${bound} of ${capacity}${index === 0 ? ' bound' : ''} in ${cidr}${doubts(inDoubt)}`,
    );
    return `Pool ${name}: ${[...counts, ...waits(waiting)].join(', ')}`;
  });
}

/** `Pod CIDRs: 29 of 8193 bound, 1 node waits`, by the range with the fewest free blocks of each pool. */
export function poolSummary(pools: readonly Pool[]): string {
  const scarcest = pools.flatMap(
    ({ ranges }) => ranges.toSorted((a, b) => a.free - b.free)[0] ?? [],
  );
  const total = (key: keyof Omit<PoolRange, 'cidr'>): number =>
    scarcest.reduce((sum, range) => sum + range[key], 0);
  const waiting = pools.reduce((sum, pool) => sum + pool.waiting, 0);
  const parts = [`${total('bound')} of ${total('capacity')} bound`, ...waits(waiting)];
  return `Pod CIDRs: ${parts.join(', ')}`;
}

function waits(nodes: number): readonly string[] {
  if (nodes === 0) return [];
  return [nodes === 1 ? '1 node waits' : `${nodes} nodes wait`];
}

function doubts(blocks: number): string {
  return blocks === 0 ? '' : ` (${blocks} in doubt)`;
}
