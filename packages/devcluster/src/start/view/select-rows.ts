/**
 * Selects the rows for a screen that is lower than the table. First come the rows that the user acts on: nodes that
 * a suggestion is about, rows that have just changed and the row that changed last. Refused nodes follow, because
 * their rows say what is wrong. Other rows fill the remaining lines, and omitted rows are counted.
 */
import type { Row, RowState } from '../board/index.ts';

export interface Selection {
  readonly rows: readonly Row[];
  /** `… and 12 more: 9 ready, 3 refused`; undefined where all rows are shown. */
  readonly rest: string | undefined;
}

interface Interest {
  /** When a row last changed; a larger number is later, and 0 is never. */
  readonly changedAt: (node: string) => number;
  /** Nodes whose rows have just changed. */
  readonly fresh: ReadonlySet<string>;
  /** Nodes that a suggestion is about. */
  readonly suggested: ReadonlySet<string>;
}

/** The selected rows, in the order of the table. */
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

/** `18 ready, 9 refused`, in the order of a node's life. */
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
