/** Lays out the table of nodes for a width: a pure function of its rows. */
import { operatorAnnotation } from '@tandem/core/node-address';
import type { Row, RowState } from '../board/index.ts';
import {
  type ColumnName,
  columnNames,
  fitColumns,
  fitNarrow,
  fitWithoutWhy,
  gap,
  type Widths,
} from './columns.ts';
import { cut, cutLine, type Line, span, type Tone, visible } from './line.ts';

interface TableOptions {
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
  podCIDRs: 'PODCIDRS',
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

interface Fitted {
  readonly cells: readonly Cells[];
  readonly widths: Widths;
}

/** Reasons give way first, then the second pod CIDR of a node, then the stack. */
function fit(rows: readonly Row[], width: number): Fitted {
  const whole = rows.map((row) => cellsOf(row, 'all'));
  const withWhy = fitColumns(naturalWidths([titles, ...whole]), width);
  if (withWhy !== undefined) return { cells: whole, widths: withWhy };
  const codes = Math.max(
    ...rows.map(({ state, code }) => (state === 'refused' ? (code ?? '') : '').length),
    0,
  );
  const withCodes = whole.map((cells, index) => withCode(cells, rows[index]));
  const widths = fitWithoutWhy(naturalWidths([titles, ...withCodes]), { width, codes });
  if (widths !== undefined) return { cells: withCodes, widths };
  const short = rows.map((row) => withCode(cellsOf(row, 'first'), row));
  const natural = naturalWidths([titles, ...short]);
  const room = { width, codes };
  return { cells: short, widths: fitWithoutWhy(natural, room) ?? fitNarrow(natural, room) };
}

function cellsOf(row: Row, podCIDRs: 'all' | 'first'): Cells {
  const { node, got, stack, state } = row;
  return {
    node: visible(node),
    asked: visible(describeAsked(row)),
    got: visible(got.map(({ address }) => address).join(' ')),
    stack: stack ?? '',
    podCIDRs: visible(describePodCIDRs(row, podCIDRs)),
    state,
    why: visible(describeWhy(row)),
  };
}

/**
 * Without room for reasons, a code takes the place of the addresses: that of a refusal always, any other only
 * where the node has no addresses.
 */
function withCode(cells: Cells, row: Row | undefined): Cells {
  const code = visible(row?.code ?? '');
  return { ...cells, got: row?.state === 'refused' ? code || cells.got : cells.got || code };
}

/** `10.64.0.0/24 +1` means that one more is not shown. The code of a problem takes the place of the pod CIDRs. */
function describePodCIDRs({ podCIDRs, podCIDRProblem }: Row, which: 'all' | 'first'): string {
  if (podCIDRProblem !== null) return podCIDRProblem.code;
  const [first = '', ...more] = podCIDRs;
  if (which === 'all' || more.length === 0) return podCIDRs.join(' ');
  return `${first} +${more.length}`;
}

/** Reasons with a code take precedence over those without. */
function describeWhy({ code, why, podCIDRProblem }: Row): string {
  const problems = [
    ...(code === null ? [] : [`${code}: ${why}`]),
    ...(podCIDRProblem === null ? [] : [`${podCIDRProblem.code}: ${podCIDRProblem.message}`]),
  ];
  return problems.length === 0 ? why : problems.join(' ');
}

/**
 * `(none)` or `(0.0.0.0)`: the kubelet publishes no request. `(operator)` behind a request: it is not the kubelet's.
 * A request that is empty or has outer blanks is quoted.
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
  if (name === 'why') return row.code === null && row.podCIDRProblem === null ? 'dim' : 'plain';
  if (name === 'podCIDRs' && row.podCIDRProblem !== null) return 'bad';
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
    podCIDRs: widest('podCIDRs'),
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
