/**
 * Which freed blocks may be handed out again: those that no route leads to any more (I7). A block that is still
 * routed would send the pods of its next node to the machine of its last one.
 */
import { OverlapIndex } from '../allocation/index.ts';
import { type Cidr, formatCidr } from '../ip/index.ts';
import { type ListedRoute, type ListedTable, listsNothing, mayChange } from './listing.ts';
import type { RouteScope } from './need.ts';
import { isInScope } from './table-plan.ts';

export interface ReleaseInput extends RouteScope {
  /** The blocks whose nodes are gone. */
  readonly blocks: readonly Cidr[];
  /** Of a list that began after the nodes were gone. */
  readonly tables: readonly ListedTable[];
  /** How many routes the nodes of the cluster need. */
  readonly wanted: number;
  /** Whether a node that is there has this very CIDR. */
  readonly isShown: (cidr: Cidr) => boolean;
}

/**
 * The blocks that no route of ours overlaps, nor one that is dead or unknown, which may be ours. Routes that a plan never
 * deletes (T3), such as a dead default route, would hold every block for good and do not count, nor do the routes of
 * nodes that are there: a node may have had a CIDR that contains theirs. A list that has no table, or no route at all
 * although nodes need some, may be half an answer and releases nothing (P3).
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
