/** A section of `/statusz` as text: a table whose columns are as wide as they need to be. */
import type { StatusRow, StatusSection } from '../pages.ts';

export function sectionLines({ title, rows, notes }: StatusSection): readonly string[] {
  const lines = [...tableLines(rows), ...notes];
  return [
    '',
    `${title}:`,
    ...(lines.length === 0 ? ['nothing to show'] : lines).map((line) => `  ${line}`),
  ];
}

function tableLines(rows: readonly StatusRow[]): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first).map((key) => columnLines(key, rows));
  return ['', ...rows].map((_, line) =>
    columns
      .map((column) => column[line] ?? '')
      .join('  ')
      .trimEnd(),
  );
}

/** The title and a cell for each row, all of one width. Numbers are aligned to the right. */
function columnLines(key: string, rows: readonly StatusRow[]): readonly string[] {
  const cells = [key.toUpperCase(), ...rows.map((row) => String(row[key] ?? ''))];
  const width = Math.max(...cells.map((cell) => cell.length));
  const isNumeric = rows.every((row) => typeof row[key] === 'number');
  return cells.map((cell) => (isNumeric ? cell.padStart(width) : cell.padEnd(width)));
}
