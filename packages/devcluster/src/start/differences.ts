/**
 * Holds the rows against what shall come of the machines: for the rows of the KEP, against the KEP. An
 * answer of nothing means that all is as it shall be, so a node that is missing is a difference too.
 */
import { enumerate } from '@tandem/core/node-address';
import type { Row } from './board/index.ts';
import type { Expected, Machine } from './machines/index.ts';

export interface Difference {
  readonly node: string;
  /** A sentence: what shall be, and what is. */
  readonly message: string;
}

export function findDifferences(
  machines: readonly Machine[],
  findRow: (node: string) => Row | undefined,
): readonly Difference[] {
  return machines.flatMap(({ name, group, expected }) => {
    const row = findRow(name);
    if (row !== undefined && isAsExpected(row, expected)) return [];
    const who = group === 'KEP-3705' ? 'KEP-3705 specifies' : 'expected';
    const found = row === undefined ? 'the node does not exist' : `the node is ${describeRow(row)}`;
    return [{ node: name, message: `${who} ${describeExpected(expected)}, but ${found}` }];
  });
}

export function isAsExpected(row: Row, expected: Expected): boolean {
  if (row.state !== expected.state) return false;
  switch (expected.state) {
    case 'ready':
      return row.stack === expected.stack && textsOf(row).join() === expected.addresses.join();
    case 'refused':
      return row.code === expected.code && row.got.length === 0;
    case 'paused':
      return row.got.length === 0;
  }
}

function describeExpected(expected: Expected): string {
  switch (expected.state) {
    case 'ready':
      return `${enumerate(expected.addresses)} (${expected.stack})`;
    case 'refused':
      return `a refusal with ${expected.code}`;
    case 'paused':
      return 'a paused node';
  }
}

function describeRow(row: Row): string {
  const { state, code, stack } = row;
  const got = row.got.length === 0 ? '' : ` with ${enumerate(textsOf(row))} (${stack})`;
  return `${state}${code === null ? '' : ` (${code})`}${got}`;
}

function textsOf({ got }: Row): readonly string[] {
  return got.map(({ address }) => address);
}
