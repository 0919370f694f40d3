/**
 * The live program: the demo, a server for kubectl, and the table, until the user ends it. Then it closes the
 * socket, removes its file and restores the terminal.
 */
import { type Clock, untilAborted } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { type RequestFailure, type ServedCluster, serve, ServeError } from '../serve/index.ts';
import { type KubeconfigFile, writeKubeconfig } from './kubeconfig-file.ts';
import type { StartCommand } from './options/index.ts';
import { exitBadInput, exitOk, type StartPorts } from './ports.ts';
import type { ObservedDemo } from './observed-demo.ts';
import { layOutTable, LiveView, PlainView, toText } from './view/index.ts';
import { withDemo } from './with-demo.ts';
import { runChurn } from './demo/index.ts';

type LiveCommand = Extract<StartCommand, { readonly kind: 'live' }>;

export async function runLive(
  command: LiveCommand,
  observed: ObservedDemo,
  ports: StartPorts,
): Promise<number> {
  const served = await serveCluster(command, observed, ports);
  if (served === undefined) return exitBadInput;
  try {
    const file = writeFile(served, ports);
    if (file === undefined) return exitBadInput;
    const unregister = ports.atExit(() => file.remove());
    try {
      await watch({ command, observed, ports, kubeconfig: file.path });
    } finally {
      file.remove();
      unregister();
    }
  } finally {
    await served.stop();
  }
  return exitOk;
}

interface Watched {
  readonly command: LiveCommand;
  readonly observed: ObservedDemo;
  readonly ports: StartPorts;
  readonly kubeconfig: string;
}

async function watch(watched: Watched): Promise<void> {
  const { command, observed, ports } = watched;
  const { clock, stop } = ports;
  const view = createView(watched);
  const unregister = ports.atExit(() => view.close());
  view.open();
  try {
    const run = (signal: AbortSignal): Promise<void> =>
      runAll(command, observed, { clock, signal });
    await withDemo({ clock, stop, run }, async (signal) => {
      await follow(view, observed, signal);
      // After Ctrl-C, the user gets the terminal back immediately, not when everything has ended.
      view.close();
    });
  } finally {
    view.close();
    unregister();
  }
  printFinalTable(observed, ports);
}

/** Tells the view when the cluster has converged, and ends when the signal aborts. */
async function follow(
  view: LiveView | PlainView,
  { progress }: ObservedDemo,
  signal: AbortSignal,
): Promise<void> {
  const tookMs = await progress.whenConverged(signal).catch(() => undefined);
  if (tookMs === undefined) return;
  view.converged(tookMs);
  await untilAborted(signal, new Promise(() => {})).catch(() => undefined);
}

function createView({ observed, ports, kubeconfig }: Watched): LiveView | PlainView {
  const { terminal, colours } = ports.output;
  const { clock, output } = ports;
  return terminal === undefined
    ? new PlainView({ ...observed, kubeconfig, write: (text) => output.write(text) })
    : new LiveView({ ...observed, clock, terminal, colours, kubeconfig });
}

/** The screen is gone with its content, so the table is printed where users can scroll. */
function printFinalTable({ board }: ObservedDemo, { output }: StartPorts): void {
  const { terminal, colours } = output;
  if (terminal === undefined) return;
  const lines = layOutTable(board.rows, { width: terminal.size().columns });
  output.write(`${lines.map((line) => toText(line, colours)).join('\n')}\n`);
}

async function runAll(
  { settings }: LiveCommand,
  { demo }: ObservedDemo,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const running = [demo.run(signal)];
  if (settings.churn === 'seeded') {
    const random = seededRandom(`${settings.seed}/churn`);
    const firstNumber = settings.nodes + 1;
    running.push(runChurn({ demo, clock, random, stack: settings.stack, firstNumber }, signal));
  }
  await Promise.all(running);
}

/** Writes an error and returns undefined if the port cannot be opened. */
async function serveCluster(
  { port }: LiveCommand,
  { demo }: ObservedDemo,
  { clock, errors }: StartPorts,
): Promise<ServedCluster | undefined> {
  try {
    const onFailure = ({ method, target, err }: RequestFailure): void => {
      const why = err instanceof Error ? err.message : String(err);
      errors.write(`error: the embedded API server failed on ${method} ${target} (${why})\n`);
    };
    return await serve({ cluster: demo.cluster, clock, port, onFailure });
  } catch (err) {
    if (!(err instanceof ServeError)) throw err;
    errors.write(`error: --port ${port}: ${err.message}\n`);
    return undefined;
  }
}

function writeFile(
  { kubeconfig }: ServedCluster,
  { temporaryDirectory, errors }: StartPorts,
): KubeconfigFile | undefined {
  try {
    return writeKubeconfig(kubeconfig, temporaryDirectory);
  } catch (err) {
    const why = err instanceof Error ? err.message : String(err);
    errors.write(
      `error: cannot write the kubeconfig to ${temporaryDirectory} (${why}): set TMPDIR to a writable directory\n`,
    );
    return undefined;
  }
}
