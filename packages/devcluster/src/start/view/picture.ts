/**
 * The picture of the table for the README: what a terminal shows once all nodes are as expected, without anything
 * that differs from run to run.
 */
import type { Row } from '../board/index.ts';
import type { Pool, RouteCount } from '../demo/index.ts';
import { describeCounts, titleLine } from './frame.ts';
import { type Line, span } from './line.ts';
import { poolTexts } from './pools.ts';
import { routeTexts } from './routes.ts';
import { toSvg } from './svg.ts';
import { layOutTable } from './table.ts';

/** Wide enough for reasons, and narrow enough for a page. */
const width = 148;

/** The parts of the outcome that the picture shows. */
export interface Pictured {
  readonly nodes: readonly Row[];
  readonly pools: readonly Pool[];
  readonly routes: readonly RouteCount[];
}

export function pictureOf({ nodes: rows, pools, routes }: Pictured): string {
  const lines: readonly Line[] = [
    [span('$ ', 'dim'), span('npm start', 'strong')],
    [],
    titleLine(rows),
    [span(`Converged: ${describeCounts({ total: rows.length, differing: 0 })}`, 'good')],
    [],
    ...layOutTable(rows, { width }),
    [],
    ...[...poolTexts(pools), ...routeTexts(routes)].map((text) => [span(text)]),
  ];
  return toSvg(lines, 'The table of npm start: what each node asked for, what it got, and why');
}
