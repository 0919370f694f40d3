/**
 * Which freed blocks may be handed out again: those that no route leads to any more (I7). A block that is still
 * routed would send the pods of its next node to the machine of its last one.
 */
import { OverlapIndex } from '../allocation/index.ts';
import { type Cidr, formatCidr } from '../ip/index.ts';
import { type ListedTable, listsNothing, mayChange } from './listing.ts';

export interface ReleaseInput {
  /** The blocks whose nodes are gone. */
  readonly blocks: readonly Cidr[];
  /** Of a list that began after the nodes were gone. */
  readonly tables: readonly ListedTable[];
  /** How many routes the nodes of the cluster need. */
  readonly wanted: number;
}

/**
 * The blocks that no route of ours overlaps, nor a dead one, which may have been ours. A list that has no
 * table, or no route at all although nodes need some, may be half an answer and releases nothing (P3).
 */
export function findReleasable({ blocks, tables, wanted }: ReleaseInput): readonly Cidr[] {
  const isHalf = tables.length === 0 || (wanted > 0 && listsNothing(tables));
  if (isHalf) return [];
  const index = new OverlapIndex();
  for (const block of blocks) index.set(formatCidr(block), [block]);
  const routed = new Set<string>();
  for (const route of tables.flatMap((table) => table.routes.filter(mayChange))) {
    if (route.destination === undefined) continue;
    for (const { owner } of index.others('', route.destination)) routed.add(owner);
  }
  return blocks.filter((block) => !routed.has(formatCidr(block)));
}
