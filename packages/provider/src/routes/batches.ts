/**
 * Splits operations into batches. A batch has operations on one table only: clouds that write a table as a
 * whole then write each table once, and trouble with one table does not affect operations on another.
 */
import type { RouteOperation } from '../plug/index.ts';

/** One operation, and its index among all operations of the caller. */
export interface Placed {
  readonly operation: RouteOperation;
  readonly index: number;
}

export type Batch = readonly Placed[];

/** The batch with the earliest operation comes first; within a batch the order is kept. */
export function batchesOf(operations: readonly RouteOperation[], batchSize: number): Batch[] {
  const batches: Placed[][] = [];
  const openByTable = new Map<string, Placed[]>();
  for (const [index, operation] of operations.entries()) {
    const placed = { operation, index };
    const open = openByTable.get(operation.table);
    if (open !== undefined && open.length < batchSize) {
      open.push(placed);
    } else {
      const begun = [placed];
      batches.push(begun);
      openByTable.set(operation.table, begun);
    }
  }
  return batches;
}
