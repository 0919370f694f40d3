/** `--once`: lets the demo converge and reports the outcome, which also decides the exit code. */
import { deadline } from '@tandem/runtime';
import type { StartCommand } from './options/index.ts';
import { exitFailed, exitOk, type StartPorts } from './ports.ts';
import { type Outcome, outcomeJson, outcomeSentences } from './report.ts';
import type { ObservedDemo } from './observed-demo.ts';
import { layOutTable, poolTexts, routeTexts, tableText, toText } from './view/index.ts';
import { withDemo } from './with-demo.ts';

type OnceCommand = Extract<StartCommand, { readonly kind: 'once' }>;

/** Long enough for a busy machine. With faults, a node may wait for the deadline of a lost look-up. */
const convergeMsMax = { none: 60_000, seeded: 300_000 } as const;

export async function runOnce(
  { settings, output }: OnceCommand,
  observed: ObservedDemo,
  ports: StartPorts,
): Promise<number> {
  const { clock, stop } = ports;
  const { demo, board, progress } = observed;
  const hideProgress = showProgress(observed, ports);
  const limitMs = convergeMsMax[settings.faults];
  const { tookMs, pools, routes } = await withDemo(
    { clock, stop, run: (signal) => demo.run(signal) },
    async (signal) => {
      using scope = deadline(clock, limitMs, signal);
      // Neither the limit nor Ctrl-C is a failure: the report names what is not as expected.
      const converged = await progress.whenConverged(scope.signal).catch(() => undefined);
      // The manager knows its pools only while it runs.
      return { tookMs: converged, pools: demo.pools(), routes: demo.routes() };
    },
  );
  hideProgress();
  const outcome: Outcome = {
    seed: settings.seed,
    tookMs,
    machines: demo.machines,
    rows: board.rows,
    pools,
    routes,
    differences: tookMs === undefined ? progress.differences() : [],
  };
  ports.output.write(output === 'json' ? outcomeJson(outcome) : outcomeText(outcome, ports));
  return tookMs === undefined ? exitFailed : exitOk;
}

/** Cut to the width of a terminal, whole for a pipe or a file. */
function outcomeText(outcome: Outcome, { output: { terminal, colours } }: StartPorts): string {
  const { rows, pools, routes } = outcome;
  const table =
    terminal === undefined
      ? tableText(rows)
      : layOutTable(rows, { width: terminal.size().columns })
          .map((line) => toText(line, colours))
          .join('\n');
  const below = [...poolTexts(pools), ...routeTexts(routes), ...outcomeSentences(outcome)];
  return `${[table, '', ...below].join('\n')}\n`;
}

/** Shows one progress line, which is overwritten in place. Returns a function that removes it. */
function showProgress({ board, progress }: ObservedDemo, { errors }: StartPorts): () => void {
  if (!errors.isTerminal) return () => undefined;
  const forget = board.onChange(() =>
    errors.write(`\r${progress.done} of ${progress.total} nodes as expected\u001b[K`),
  );
  return () => {
    forget();
    errors.write('\r\u001b[K');
  };
}
