/**
 * Which rows fit on a screen that is lower than the table: those that changed last, in the order of their
 * names, so that what somebody has just done to a node is always seen. The others are counted.
 */
import type { Row, RowState } from '../board/index.ts';

export interface Selection {
  readonly rows: readonly Row[];
  /** `… and 12 more: 9 ready, 3 refused`; nothing where all rows are shown. */
  readonly rest: string | undefined;
}

export function selectRows(options: {
  readonly rows: readonly Row[];
  readonly linesMax: number;
  /** When a row last changed; a larger number is later. */
  readonly changedAt: (node: string) => number;
}): Selection {
  const { rows, linesMax, changedAt } = options;
  if (rows.length <= linesMax) return { rows, rest: undefined };
  const room = Math.max(linesMax - 1, 0);
  const latest = rows
    .toSorted((a, b) => changedAt(b.node) - changedAt(a.node))
    .slice(0, room)
    .map(({ node }) => node);
  const shown = new Set(latest);
  const rest = rows.filter(({ node }) => !shown.has(node));
  return {
    rows: rows.filter(({ node }) => shown.has(node)),
    rest: `… and ${rest.length} more: ${countStates(rest)}`,
  };
}

/** `18 ready, 9 refused`, in the order in which a node's life goes. */
export function countStates(rows: readonly Row[]): string {
  const order: readonly RowState[] = ['waiting', 'ready', 'refused', 'paused', 'down'];
  const counts = order.map((state) => ({
    state,
    count: rows.filter((row) => row.state === state).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(', ');
}
