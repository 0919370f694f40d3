/** The picture of the table for the README: what a terminal shows, without what differs from run to run. */
import type { Row } from '../board/index.ts';
import { type Line, span } from './line.ts';
import { countStates } from './select-rows.ts';
import { toSvg } from './svg.ts';
import { layOutTable } from './table.ts';

/** Wide enough for reasons, narrow enough to be read on a page. */
const width = 128;

export function pictureOf(rows: readonly Row[]): string {
  const lines: readonly Line[] = [
    [span('$ ', 'dim'), span('npm start', 'strong')],
    [],
    ...layOutTable(rows, { width }),
    [],
    [
      span(`${rows.length} nodes: ${countStates(rows)}. `),
      span('All as KEP-3705 specifies.', 'good'),
    ],
  ];
  return toSvg(lines, 'The table of npm start: what each node asked for, what it got, and why');
}
