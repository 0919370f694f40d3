/** Prints a table as kubectl does: titles in capitals, and columns that fit their contents, three blanks apart. */
import { printable } from '@tandem/core/node-address';

/** The title of a column, and its cell for a row. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  /** Whether the column appears only with `-o wide`. */
  readonly isWide?: true;
  /** The maximum length of a cell in characters, so that one long value does not push later columns out of sight. */
  readonly lengthMax?: number;
}

export function printTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { isWide }: { readonly isWide: boolean },
): string {
  const shown = columns.filter((column) => isWide || column.isWide !== true);
  const lines = [
    shown.map(({ title }) => title),
    ...rows.map((row) =>
      shown.map(({ cell, lengthMax = cellMax }) => shownIn(cell(row), lengthMax) || '-'),
    ),
  ];
  const widths = shown.map((_, at) =>
    lines.reduce((widest, cells) => Math.max(widest, (cells[at] ?? '').length), 0),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
    .concat('\n');
}

/** The maximum length of a cell, which is that of an event's message. */
const cellMax = 1_024;

/** Escapes a cell. It is not in quotes, so quotes in its text need no backslash. */
function shownIn(text: string, lengthMax: number): string {
  return printable(text, lengthMax).replaceAll('\\"', '"');
}

/** Returns an age in kubectl's format: `5m`, `3h`, `12d`. */
export function age(fromMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - fromMs) / 1_000));
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
