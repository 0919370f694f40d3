/**
 * Decides which freed blocks may be assigned again: those that no route leads to any more (I7).
 * With a route left, the traffic for the pods of the block's next node would go to the machine of
 * its last one.
 */
import { OverlapIndex } from '../allocation/index.ts';
import { type Cidr, formatCidr } from '../ip/index.ts';
import { type ListedRoute, type ListedTable, listsNothing, mayChange } from './listing.ts';
import type { RouteScope } from './need.ts';
import { isInScope } from './table-plan.ts';

export interface ReleaseInput extends RouteScope {
  /** The blocks of deleted nodes. */
  readonly blocks: readonly Cidr[];
  /** The tables of a list that began after the nodes were deleted. */
  readonly tables: readonly ListedTable[];
  /** The number of routes that the nodes of the cluster need. */
  readonly wanted: number;
  /** Whether an existing node has exactly this CIDR. */
  readonly isShown: (cidr: Cidr) => boolean;
}

/**
 * Returns the blocks that no route of ours overlaps, nor a dead or unknown one, which may be ours.
 * Routes that a plan never deletes (T3), such as a dead default route, do not count, because they
 * would hold every block forever. Routes of existing nodes do not count either, because a deleted
 * node may have had a CIDR that contains theirs. A list without tables, or without any route
 * although nodes need some, may be incomplete and releases nothing (P3).
 */
export function findReleasable({
  blocks,
  tables,
  wanted,
  isShown,
  ...scope
}: ReleaseInput): readonly Cidr[] {
  const isHalf = tables.length === 0 || (wanted > 0 && listsNothing(tables));
  if (isHalf) return [];
  const index = new OverlapIndex();
  for (const block of blocks) index.set(formatCidr(block), [block]);
  const routed = new Set<string>();
  for (const { destination } of tables.flatMap((table) => table.routes.filter(mayBeOurs))) {
    if (destination === undefined || !isInScope(destination, scope)) continue;
    if (isShown(destination)) continue;
    for (const { owner } of index.others('', destination)) routed.add(owner);
  }
  return blocks.filter((block) => !routed.has(formatCidr(block)));
}

function mayBeOurs(route: ListedRoute): boolean {
  return mayChange(route) || route.target.kind === 'unknown';
}
