/** The table of nodes as lines for a width: a pure function of its rows. */
import { operatorAnnotation } from '@tandem/core/node-address';
import type { Row, RowState } from '../board/index.ts';
import {
  type ColumnName,
  columnNames,
  fitColumns,
  fitWithoutWhy,
  gap,
  type Widths,
} from './columns.ts';
import { cut, cutLine, type Line, span, type Tone, visible } from './line.ts';

export interface TableOptions {
  readonly width: number;
  /** Nodes whose rows have just changed. */
  readonly fresh?: ReadonlySet<string>;
}

type Cells = Readonly<Record<ColumnName, string>>;

const titles: Cells = {
  node: 'NODE',
  asked: 'ASKED',
  got: 'GOT',
  stack: 'STACK',
  state: 'STATE',
  why: 'WHY',
};

const tones: Readonly<Record<RowState, Tone>> = {
  waiting: 'dim',
  ready: 'good',
  refused: 'bad',
  paused: 'warn',
  down: 'warn',
};

/** The title line and one line for each row, none wider than the width. */
export function layOutTable(rows: readonly Row[], { width, fresh }: TableOptions): readonly Line[] {
  const { cells, widths } = fit(rows, width);
  const title = layOutCells(titles, { widths, toneOf: () => 'dim' });
  const lines = rows.map((row, index) => {
    const isFresh = fresh?.has(row.node) ?? false;
    const tone = (name: ColumnName): Tone => toneOf(name, { row, isFresh });
    return layOutCells(cells[index] ?? titles, { widths, toneOf: tone });
  });
  return [title, ...lines].map((line) => cutLine(line, width));
}

/**
 * Without room for reasons, codes stand where the addresses would: always that of a refusal, another one only
 * where there are no addresses.
 */
function fit(
  rows: readonly Row[],
  width: number,
): { readonly cells: readonly Cells[]; readonly widths: Widths } {
  const cells = rows.map(cellsOf);
  const widths = fitColumns(naturalWidths([titles, ...cells]), width);
  if (widths !== undefined) return { cells, widths };
  const withCodes = rows.map((row) => {
    const own = cellsOf(row);
    const code = visible(row.code ?? '');
    return { ...own, got: row.state === 'refused' ? code || own.got : own.got || code };
  });
  const natural = naturalWidths([titles, ...withCodes]);
  const codes = Math.max(
    ...rows.map(({ state, code }) => (state === 'refused' ? (code ?? '') : '').length),
    0,
  );
  return { cells: withCodes, widths: fitWithoutWhy(natural, { width, codes }) };
}

function cellsOf(row: Row): Cells {
  const { node, got, stack, state, code, why } = row;
  return {
    node: visible(node),
    asked: visible(describeAsked(row)),
    got: visible(got.map(({ address }) => address).join(' ')),
    stack: stack ?? '',
    state,
    why: visible(code === null ? why : `${code}: ${why}`),
  };
}

/**
 * In brackets what kubelet was told and keeps to itself; by name who asks when it is not kubelet. A request
 * whose blanks would not be seen is quoted.
 */
export function describeAsked({ asked, nodeIP }: Row): string {
  if (asked === null) return `(${nodeIP ?? 'none'})`;
  const { value, source } = asked;
  const isPlain = value !== '' && value === value.trim();
  const shown = isPlain ? value : JSON.stringify(value);
  return source === operatorAnnotation ? `${shown} (operator)` : shown;
}

function toneOf(
  name: ColumnName,
  { row, isFresh }: { readonly row: Row; readonly isFresh: boolean },
): Tone {
  if (name === 'state') return tones[row.state];
  if (name === 'why') return row.code === null ? 'dim' : 'plain';
  if (name === 'got' && row.got.length === 0) return 'bad';
  if (name === 'asked' && row.asked === null) return 'dim';
  return isFresh ? 'strong' : 'plain';
}

function naturalWidths(all: readonly Cells[]): Widths {
  const widest = (name: ColumnName): number => Math.max(...all.map((cells) => cells[name].length));
  return {
    node: widest('node'),
    asked: widest('asked'),
    got: widest('got'),
    stack: widest('stack'),
    state: widest('state'),
    why: widest('why'),
  };
}

function layOutCells(
  cells: Cells,
  {
    widths,
    toneOf: tone,
  }: { readonly widths: Widths; readonly toneOf: (name: ColumnName) => Tone },
): Line {
  const shown = columnNames.filter((name) => widths[name] > 0);
  return shown.flatMap((name, index) => {
    const isLast = index === shown.length - 1;
    const text = cut(cells[name], widths[name]);
    if (isLast) return [span(text, tone(name))];
    const padding = ' '.repeat(widths[name] - text.length + gap);
    return [span(text, tone(name)), span(padding)];
  });
}
