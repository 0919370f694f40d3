/**
 * The view for an output that is not a terminal: a line for each change, and the table once the cluster has
 * converged.
 */
import type { Board, Row, RowChange } from '../board/index.ts';
import type { Progress } from '../progress.ts';
import type { DemoCluster } from '../demo/index.ts';
import { convergedText, seconds } from './frame.ts';
import { textOf, visible } from './line.ts';
import { poolTexts } from './pools.ts';
import { routeTexts } from './routes.ts';
import { describeAsked, layOutTable } from './table.ts';
import { suggestions } from './suggestions.ts';

interface PlainViewParts {
  readonly write: (text: string) => unknown;
  readonly demo: Pick<DemoCluster, 'pools' | 'routes'>;
  readonly board: Board;
  readonly progress: Progress;
  readonly kubeconfig: string;
}

export class PlainView {
  readonly #parts: PlainViewParts;
  #forget: () => void = () => undefined;

  constructor(parts: PlainViewParts) {
    this.#parts = parts;
  }

  open(): void {
    const { board, progress } = this.#parts;
    this.#say(`export KUBECONFIG=${this.#parts.kubeconfig}`);
    this.#forget = board.onChange((change) =>
      this.#say(`+${seconds(progress.elapsedMs)}  ${describeChange(change)}`),
    );
  }

  converged(tookMs: number): void {
    this.#say('');
    this.#say(tableText(this.#parts.board.rows));
    this.#say('');
    const { demo } = this.#parts;
    for (const text of poolTexts(demo.pools())) this.#say(text);
    for (const text of routeTexts(demo.routes())) this.#say(text);
    const { total, differing } = this.#parts.progress;
    this.#say(convergedText({ tookMs, total, differing }));
    for (const { command, shows } of suggestions) this.#say(`  ${command}  # ${shows}`);
  }

  close(): void {
    this.#forget();
  }

  #say(text: string): void {
    this.#parts.write(`${text}\n`);
  }
}

/** As wide as necessary: readers of a pipe or a file can cut it themselves. */
export function tableText(rows: readonly Row[]): string {
  const lines = layOutTable(rows, { width: Number.MAX_SAFE_INTEGER });
  return lines.map((line) => textOf(line).trimEnd()).join('\n');
}

function describeChange(change: RowChange): string {
  if (change.kind === 'gone') return `${change.node}: deleted`;
  const { row } = change;
  const got = row.got.map(({ address }) => address).join(' ');
  const parts = [
    row.state,
    `asked ${describeAsked(row)}`,
    ...(got === '' ? [] : [`got ${got}${row.stack === null ? '' : ` (${row.stack})`}`]),
    ...(row.code === null ? [] : [row.code]),
    ...(row.podCIDRs.length === 0 ? [] : [`podCIDRs ${row.podCIDRs.join(' ')}`]),
    ...(row.podCIDRProblem === null ? [] : [row.podCIDRProblem.code]),
  ];
  return visible(`${row.node}: ${parts.join(', ')}`);
}
