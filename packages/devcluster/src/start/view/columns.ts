/**
 * How wide the columns of the table are. Names and states are what people look for, so these stay whole the
 * longest; reasons yield first, and a column that would be too narrow to say anything is left out.
 */
export type ColumnName = 'node' | 'asked' | 'got' | 'stack' | 'state' | 'why';

export type Widths = Readonly<Record<ColumnName, number>>;

export const columnNames: readonly ColumnName[] = ['node', 'asked', 'got', 'stack', 'state', 'why'];

export const gap = 2;

/** Below this a column is left out, or no narrower. */
const least: Widths = { node: 8, asked: 8, got: 16, stack: 15, state: 7, why: 24 };
/** A reason is given this much at the cost of long lists of addresses. */
const whyWanted = 48;
const gotBesideWhy = 22;

/** 0 for a column that is left out. */
export function fitColumns(natural: Widths, width: number): Widths {
  if (natural.why === 0) return fitWithoutWhy(natural, width);
  const roomForWhy = (got: number): number => width - total({ ...natural, got, why: 0 }) - gap;
  const isTight = roomForWhy(natural.got) < Math.min(natural.why, whyWanted);
  const got = isTight
    ? clamp(natural.got + roomForWhy(natural.got) - whyWanted, gotBesideWhy, natural.got)
    : natural.got;
  const why = Math.min(natural.why, roomForWhy(got));
  if (why >= Math.min(natural.why, least.why)) return { ...natural, got, why };
  return fitWithoutWhy({ ...natural, why: 0 }, width);
}

function fitWithoutWhy(natural: Widths, width: number): Widths {
  const withStack = yielding(natural, 'got', width);
  if (total(withStack) <= width) return withStack;
  let widths: Widths = { ...natural, stack: 0 };
  for (const name of ['got', 'asked', 'node'] as const) widths = yielding(widths, name, width);
  return widths;
}

/** One column as much narrower as it takes for all to fit, but never below its least. */
function yielding(widths: Widths, name: ColumnName, width: number): Widths {
  const excess = Math.max(total(widths) - width, 0);
  const narrowest = Math.min(least[name], widths[name]);
  return { ...widths, [name]: Math.max(widths[name] - excess, narrowest) };
}

function total(widths: Widths): number {
  const shown = columnNames.filter((name) => widths[name] > 0);
  return shown.reduce((sum, name) => sum + widths[name], 0) + gap * Math.max(shown.length - 1, 0);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), Math.min(min, max));
}
