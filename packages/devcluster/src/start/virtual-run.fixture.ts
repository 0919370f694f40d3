/** Runs the program in virtual time and in memory, for commands that need no socket. */
import { virtualClock } from '@tandem/runtime/testing';
import type { StartPorts } from './ports.ts';
import { runProgram } from './program.ts';

export interface RunResult {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
  /** The number of timers that are left: 0 after a clean end. */
  readonly pending: number;
  readonly tookMs: number;
}

export async function runVirtually(
  args: readonly string[],
  { isTerminal = false, stopAfterMs }: { isTerminal?: boolean; stopAfterMs?: number } = {},
): Promise<RunResult> {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const output: string[] = [];
  const errors: string[] = [];
  const stop = new AbortController();
  const ports: StartPorts = {
    clock,
    output: {
      write: (text) => output.push(text),
      terminal: isTerminal
        ? {
            write: (text) => output.push(text),
            size: () => ({ columns: 80, lines: 24 }),
            onResize: () => () => undefined,
            onSuspend: () => () => undefined,
          }
        : undefined,
      colours: isTerminal ? 'colours' : 'none',
    },
    errors: { write: (text) => errors.push(text), isTerminal },
    stop: stop.signal,
    temporaryDirectory: '/nowhere',
    atExit: () => () => undefined,
  };
  if (stopAfterMs !== undefined) clock.after(stopAfterMs, () => stop.abort(new Error('Ctrl-C')));
  const ended: { exitCode?: number } = {};
  const run = runProgram(args, ports).then((exitCode) => Object.assign(ended, { exitCode }));
  while (ended.exitCode === undefined) await clock.advance(100);
  const { exitCode } = await run;
  return {
    exitCode,
    output: output.join(''),
    errors: errors.join(''),
    pending: clock.pending,
    tookMs: clock.monotonic(),
  };
}
