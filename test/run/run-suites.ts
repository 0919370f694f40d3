/**
 * The whole test run: finds the test files, runs suite after suite, and sums up. Everything real
 * that is not a process comes in as a port.
 */
import { styleText } from 'node:util';
import type { RunRequest } from './command-line.ts';
import type { Order } from './protocol.ts';
import { selectTests, type SuiteSelection } from './selection.ts';
import { shareOut } from './shares.ts';
import { startSuite, type StartTimer, type SuiteRun } from './suite-run.ts';
import { sumUp, totalOf } from './summary.ts';
import { listTreeFiles } from './tree-files.ts';
import {
  judge,
  lostFiles,
  patternWithoutTest,
  suiteWithoutFiles,
  type Verdict,
} from './verdict.ts';

export interface RunPorts {
  readonly root: string;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly startTimer: StartTimer;
  readonly nowMs: () => number;
  /** Has its listener called with each signal that asks the run to stop. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
  /** After its last test, a suite's process has this long to end by itself. */
  readonly lingerMsMax: number;
}

/** Gives the exit code of the program. */
export async function runSuites(request: RunRequest, ports: RunPorts): Promise<number> {
  const selection = selectTests(listTreeFiles(ports.root), request);
  const [unknown] = selection.unknown;
  if (unknown !== undefined) {
    ports.printError(`There is no suite and no test file "${unknown}". Try npm test -- --help.`);
    return 2;
  }
  const state: RunState = { signal: undefined, running: [] };
  ports.onSignal((signal) => {
    state.signal = signal;
    for (const run of state.running) run.interrupt(signal);
  });
  const verdicts: Verdict[] = [lostFiles(selection.lost)];
  for (const selected of selection.runs) {
    if (state.signal !== undefined) break;
    // Suites share the machine's cores and one output, so they go one after the other.
    verdicts.push(...(await runSuite(selected, { request, ports, state })));
  }
  if (request.grep !== undefined && ranNothing(verdicts)) verdicts.push(patternWithoutTest());
  return sumUp(verdicts, ports.print);
}

function ranNothing(verdicts: readonly Verdict[]): boolean {
  const { passed, failed, skipped } = totalOf(verdicts);
  return passed + failed + skipped === 0;
}

interface RunState {
  signal: NodeJS.Signals | undefined;
  running: readonly SuiteRun[];
}

interface SuiteContext {
  readonly request: RunRequest;
  readonly ports: RunPorts;
  readonly state: RunState;
}

async function runSuite(selected: SuiteSelection, context: SuiteContext): Promise<Verdict[]> {
  const { suite, files } = selected;
  const { request, ports, state } = context;
  if (files.length === 0) return [suiteWithoutFiles(suite)];
  const startMs = ports.nowMs();
  ports.print(styleText('bold', `\n${suite.name} suite`));
  state.running = shareOut(files, suite.sharing).map((share) =>
    startSuite(orderOf({ suite, files: share }, context), {
      startTimer: ports.startTimer,
      output: 'inherit',
    }),
  );
  const outcomes = await Promise.all(state.running.map((run) => run.outcome));
  ports.print(`${suite.name} suite took ${((ports.nowMs() - startMs) / 1000).toFixed(1)} s`);
  const circumstances = {
    suite,
    isGrepped: request.grep !== undefined,
    interruptedBy: state.signal,
  };
  return outcomes.map((outcome) => judge(outcome, circumstances));
}

function orderOf({ suite, files }: SuiteSelection, { request, ports }: SuiteContext): Order {
  const isNarrowed = request.grep !== undefined || request.paths.length > 0;
  return {
    root: ports.root,
    files,
    grep: request.grep,
    timeoutMs: suite.timeoutMs,
    slowMs: suite.slowMs,
    // Whoever asks for few tests wants to see them.
    progress: isNarrowed ? 'titles' : suite.progress,
    lingerMsMax: ports.lingerMsMax,
  };
}
