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

/** Undefined where there is no room for reasons. */
export function fitColumns(natural: Widths, width: number): Widths | undefined {
  const roomForWhy = (got: number): number => width - total({ ...natural, got, why: 0 }) - gap;
  const isTight = roomForWhy(natural.got) < Math.min(natural.why, whyWanted);
  const got = isTight
    ? clamp(natural.got + roomForWhy(natural.got) - whyWanted, gotBesideWhy, natural.got)
    : natural.got;
  const why = Math.min(natural.why, roomForWhy(got));
  return why >= Math.min(natural.why, least.why) ? { ...natural, got, why } : undefined;
}

/** Without reasons; 0 for another column that is left out. Codes stand among the addresses and are not cut. */
export function fitWithoutWhy(
  natural: Widths,
  { width, codes }: { readonly width: number; readonly codes: number },
): Widths {
  const narrowest = { ...least, got: Math.max(least.got, codes) };
  const all = { ...natural, why: 0 };
  const withStack = yielding(all, 'got', { width, narrowest });
  if (total(withStack) <= width) return withStack;
  let widths: Widths = { ...all, stack: 0 };
  for (const name of ['got', 'asked', 'node'] as const) {
    widths = yielding(widths, name, { width, narrowest });
  }
  return widths;
}

/** One column as much narrower as it takes for all to fit, but never below its least. */
function yielding(
  widths: Widths,
  name: ColumnName,
  { width, narrowest }: { readonly width: number; readonly narrowest: Widths },
): Widths {
  const excess = Math.max(total(widths) - width, 0);
  const floor = Math.min(narrowest[name], widths[name]);
  return { ...widths, [name]: Math.max(widths[name] - excess, floor) };
}

function total(widths: Widths): number {
  const shown = columnNames.filter((name) => widths[name] > 0);
  return shown.reduce((sum, name) => sum + widths[name], 0) + gap * Math.max(shown.length - 1, 0);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), Math.min(min, max));
}
