/**
 * Which rows fit on a screen that is lower than the table. First come the rows that the reader acts on: nodes
 * that the screen suggests a command for, rows that have just changed and the one that changed last. Refused
 * nodes follow, because their rows say what is wrong. The others fill what is left, and the rest is counted.
 */
import type { Row, RowState } from '../board/index.ts';

export interface Selection {
  readonly rows: readonly Row[];
  /** `… and 12 more: 9 ready, 3 refused`; nothing where all rows are shown. */
  readonly rest: string | undefined;
}

interface Interest {
  /** When a row last changed; a larger number is later, and 0 is never. */
  readonly changedAt: (node: string) => number;
  /** Nodes whose rows have just changed. */
  readonly fresh: ReadonlySet<string>;
  /** Nodes that the screen suggests a command for. */
  readonly suggested: ReadonlySet<string>;
}

/** In the order of the table, however they were chosen. */
export function selectRows(
  rows: readonly Row[],
  { linesMax, ...interest }: Interest & { readonly linesMax: number },
): Selection {
  if (rows.length <= linesMax) return { rows, rest: undefined };
  const room = Math.max(linesMax - 1, 0);
  const shown = new Set(byInterest(rows, interest).slice(0, room));
  const rest = rows.filter((row) => !shown.has(row));
  return {
    rows: rows.filter((row) => shown.has(row)),
    rest: `… and ${rest.length} more: ${countStates(rest)}`,
  };
}

function byInterest(
  rows: readonly Row[],
  { changedAt, fresh, suggested }: Interest,
): readonly Row[] {
  const latestFirst = rows.toSorted((a, b) => changedAt(b.node) - changedAt(a.node));
  const [latest] = latestFirst.filter(({ node }) => changedAt(node) > 0);
  const rankOf = (row: Row): number => {
    if (suggested.has(row.node) || fresh.has(row.node) || row === latest) return 0;
    return row.state === 'refused' ? 1 : 2;
  };
  return latestFirst.toSorted((a, b) => rankOf(a) - rankOf(b));
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
