/** The pools of pod CIDRs as the manager shows them on `/statusz`. */
import { poolSectionTitle } from '@tandem/controllers/node-ipam';
import type { StatusRow, StatusSection } from '@tandem/serving';

export interface Pool {
  readonly name: string;
  /** Nodes that wait for their blocks. */
  readonly waiting: number;
  readonly ranges: readonly PoolRange[];
}

export interface PoolRange {
  readonly cidr: string;
  readonly capacity: number;
  readonly bound: number;
  readonly inDoubt: number;
  readonly excluded: number;
  readonly free: number;
}

export function readPools(sections: readonly StatusSection[]): readonly Pool[] {
  const rows = sections.find(({ title }) => title === poolSectionTitle)?.rows ?? [];
  const byName = Map.groupBy(rows, (row) => String(row['pool']));
  return Array.from(byName, ([name, ofPool]) => ({
    name,
    waiting: Number(ofPool[0]?.['waiting nodes']),
    ranges: ofPool.map(rangeOf),
  }));
}

function rangeOf(row: StatusRow): PoolRange {
  return {
    cidr: String(row['range']),
    capacity: Number(row['capacity']),
    bound: Number(row['bound']),
    inDoubt: Number(row['in doubt']),
    excluded: Number(row['excluded']),
    free: Number(row['free']),
  };
}
