/**
 * The widths of the columns of the table. Users look for names and states, so these are cut last; reasons are cut
 * first, and a column that would be too narrow to be useful is left out.
 */
export type ColumnName = 'node' | 'asked' | 'got' | 'stack' | 'podCIDRs' | 'state' | 'why';

export type Widths = Readonly<Record<ColumnName, number>>;

export const columnNames: readonly ColumnName[] = [
  'node',
  'asked',
  'got',
  'stack',
  'podCIDRs',
  'state',
  'why',
];

export const gap = 2;

/** The least widths: a column that would be narrower is left out or stays this wide. */
const least = { node: 8, asked: 8, got: 16, why: 24 };
/** Room for a request of two addresses beside pod CIDRs, without its source. */
const askedBesidePodCIDRs = 18;
/** A reason gets this width at the cost of long lists of addresses. */
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

/** The width of the table, and of the longest code. Codes share the column of the addresses and are not cut. */
export interface Room {
  readonly width: number;
  readonly codes: number;
}

/** Without reasons; undefined where there is no room for all other columns. */
export function fitWithoutWhy(natural: Widths, { width, codes }: Room): Widths | undefined {
  const got = Math.max(least.got, codes);
  const widths = yielding({ ...natural, why: 0 }, { width, narrowest: [['got', got]] });
  return total(widths) <= width ? widths : undefined;
}

/** Without reasons and the stack, and without pod CIDRs if the other columns would still be cut too much. */
export function fitNarrow(natural: Widths, { width, codes }: Room): Widths {
  const got = Math.max(least.got, codes);
  const widths = yielding(
    { ...natural, why: 0, stack: 0 },
    {
      width,
      narrowest: [
        ['got', got],
        ['asked', askedBesidePodCIDRs],
      ],
    },
  );
  if (total(widths) <= width) return widths;
  return yielding(
    { ...natural, why: 0, stack: 0, podCIDRs: 0 },
    {
      width,
      narrowest: [
        ['got', got],
        ['asked', least.asked],
        ['node', least.node],
      ],
    },
  );
}

/** Narrows one column after the other until all fit, none below its least width. */
function yielding(
  natural: Widths,
  {
    width,
    narrowest,
  }: {
    readonly width: number;
    readonly narrowest: readonly (readonly [ColumnName, least: number])[];
  },
): Widths {
  return narrowest.reduce((widths, [name, floor]) => {
    const excess = Math.max(total(widths) - width, 0);
    const narrowed = Math.max(widths[name] - excess, Math.min(floor, widths[name]));
    return { ...widths, [name]: narrowed };
  }, natural);
}

function total(widths: Widths): number {
  const shown = columnNames.filter((name) => widths[name] > 0);
  return shown.reduce((sum, name) => sum + widths[name], 0) + gap * Math.max(shown.length - 1, 0);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), Math.min(min, max));
}
