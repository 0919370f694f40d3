/** Lays out the whole screen as lines that fit: a pure function. */
import type { Row } from '../board/index.ts';
import type { Pool, RouteCount } from '../demo/index.ts';
import { gap } from './columns.ts';
import { cutLine, type Line, span } from './line.ts';
import { poolSummary, poolTexts } from './pools.ts';
import { routeSummary, routeTexts } from './routes.ts';
import { countStates, selectRows } from './select-rows.ts';
import { layOutTable } from './table.ts';
import { suggestions, type Suggestion } from './suggestions.ts';

export interface ViewState {
  readonly rows: readonly Row[];
  readonly pools: readonly Pool[];
  readonly routes: readonly RouteCount[];
  readonly changedAt: (node: string) => number;
  /** Nodes whose rows have just changed. */
  readonly fresh: ReadonlySet<string>;
  readonly progress: ProgressShown;
  readonly kubeconfig: string;
  /** The last warnings of the manager, oldest first. */
  readonly warnings: readonly string[];
}

interface ProgressShown {
  readonly done: number;
  readonly total: number;
  /** How many nodes are not as expected now: users may change nodes that were. */
  readonly differing: number;
  readonly elapsedMs: number;
  /** The time to convergence; undefined before it. */
  readonly tookMs: number | undefined;
}

export interface Size {
  readonly columns: number;
  readonly lines: number;
}

/** On some terminals, a line that fills the last column wraps or loses its end. */
const margin = 1;
/** A shorter table would be useless; the lines below it give way first. */
const tableLinesMin = 6;
const indentWidth = 2;

export function layOutFrame(state: ViewState, size: Size): readonly Line[] {
  const width = Math.max(size.columns - margin, 1);
  const layOut = (density: Density): Parts =>
    layOutParts(state, { width, lines: size.lines, ...density });
  const { lines } = whole.map(layOut).find(({ isWhole }) => isWhole) ?? layOut(dense);
  return lines.slice(0, size.lines).map((line) => cutLine(line, width));
}

interface Parts {
  readonly lines: readonly Line[];
  /** Whether everything had room. */
  readonly isWhole: boolean;
}

interface Density {
  readonly blank: readonly Line[];
  /** A line for each pool, or one summary beside the count of omitted rows. */
  readonly pools: 'lines' | 'summary';
}

/** Blank lines give way first. */
const whole: readonly Density[] = [
  { blank: [[]], pools: 'lines' },
  { blank: [], pools: 'lines' },
];
const dense: Density = { blank: [], pools: 'summary' };

function layOutParts(
  state: ViewState,
  { width, lines, blank, pools }: Density & { readonly width: number; readonly lines: number },
): Parts {
  const { rows: all, changedAt, fresh } = state;
  const suggested = suggestions.filter(({ node }) => all.some((row) => row.node === node));
  const head = [titleLine(all), statusLine(state, width), ...blank];
  const foot = [
    ...(pools === 'lines' ? poolLines(state, blank) : []),
    ...warningLines(state.warnings, blank),
    ...blank,
    ...helpLines(suggested, { kubeconfig: state.kubeconfig, width }),
  ];
  const room = lines - head.length;
  const footRoom = Math.min(foot.length, Math.max(room - tableLinesMin, 0));
  const summary = pools === 'summary' && state.pools.length > 0 ? [poolSummary(state.pools)] : [];
  const rowsMax = Math.max(room - footRoom - 1, 0);
  const { rows, rest } = selectRows(all, {
    // The summary shares a line with the count of omitted rows, or needs a line of its own.
    linesMax: all.length === rowsMax ? rowsMax - summary.length : rowsMax,
    changedAt,
    fresh,
    suggested: new Set(suggested.map(({ node }) => node)),
  });
  const table = layOutTable(rows, { width, fresh });
  const restTexts = [...(rest === undefined ? [] : [rest]), ...summary];
  const restLines = restTexts.length === 0 ? [] : [[span(restTexts.join('   '), 'dim')]];
  return {
    lines: [...head, ...table, ...restLines, ...foot.slice(0, footRoom)],
    isWhole: rest === undefined && footRoom === foot.length,
  };
}

export function titleLine(rows: readonly Row[]): Line {
  return [span('Tandem on an embedded cluster', 'strong'), span(`   ${countNodes(rows)}`)];
}

function countNodes(rows: readonly Row[]): string {
  if (rows.length === 0) return 'no nodes';
  const nodes = rows.length === 1 ? '1 node' : `${rows.length} nodes`;
  return `${nodes}: ${countStates(rows)}`;
}

/** The progress and the number of routes: a low screen has no other place for them. */
function statusLine({ progress, routes }: ViewState, width: number): Line {
  const line = progressLine(progress, width);
  return routes.length === 0 ? line : [...line, span(`   ${routeSummary(routes)}`)];
}

function progressLine(progress: ProgressShown, width: number): Line {
  const { done, total, differing, elapsedMs, tookMs } = progress;
  if (tookMs !== undefined) {
    const text = convergedText({ tookMs, total, differing });
    return [span(text, differing === 0 ? 'good' : 'plain')];
  }
  const bar = Math.max(Math.min(30, width - 40), 5);
  const full = total === 0 ? bar : Math.floor((done / total) * bar);
  return [
    span('█'.repeat(full), 'good'),
    span('░'.repeat(bar - full), 'dim'),
    span(` ${done} of ${total} as expected, ${seconds(elapsedMs)}`),
  ];
}

type NodeCounts = Pick<ProgressShown, 'total' | 'differing'>;

export function convergedText({ tookMs, ...counts }: NodeCounts & { tookMs: number }): string {
  return `Converged in ${seconds(tookMs)}: ${describeCounts(counts)}`;
}

export function describeCounts({ total, differing }: NodeCounts): string {
  if (differing === 0) return `all ${total} nodes are as expected`;
  return `${differing} of ${total} nodes ${differing === 1 ? 'is' : 'are'} no longer as expected`;
}

function poolLines(
  { pools, routes }: Pick<ViewState, 'pools' | 'routes'>,
  blank: readonly Line[],
): readonly Line[] {
  const texts = [...poolTexts(pools), ...routeTexts(routes)];
  return texts.length === 0 ? [] : [...blank, ...texts.map((text) => [span(text)])];
}

function warningLines(warnings: readonly string[], blank: readonly Line[]): readonly Line[] {
  if (warnings.length === 0) return [];
  return [...blank, ...warnings.map((text) => [span('! ', 'warn'), span(text, 'dim')])];
}

const stopping = 'Ctrl-C here stops everything';
const invitation = `Then try these in another terminal (${stopping}):`;

/** Users copy the commands, so their descriptions give way before a command is cut. */
function helpLines(
  suggested: readonly Suggestion[],
  { kubeconfig, width }: { readonly kubeconfig: string; readonly width: number },
): readonly Line[] {
  const command = Math.max(...suggested.map((suggestion) => suggestion.command.length), 0);
  const shows = Math.max(...suggested.map((suggestion) => suggestion.shows.length), 0);
  const indent = command + indentWidth > width ? '' : ' '.repeat(indentWidth);
  const hasRoom = indent.length + command + gap + shows <= width;
  return [
    [span(`export KUBECONFIG=${kubeconfig}`, 'strong')],
    [span(suggested.length === 0 ? stopping : invitation, 'dim')],
    ...suggested.map((suggestion) =>
      hasRoom
        ? [
            span(`${indent}${suggestion.command.padEnd(command + gap)}`),
            span(suggestion.shows, 'dim'),
          ]
        : [span(`${indent}${suggestion.command}`)],
    ),
  ];
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
