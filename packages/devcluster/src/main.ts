#!/usr/bin/env node
/**
 * The entry of `npm start`: hands the process's arguments, streams and signals to the program. However the
 * process ends, what it has put anywhere is taken away again, and the terminal is as it was.
 */
import { tmpdir } from 'node:os';
import { systemClock } from '@tandem/runtime';
import { runProgram } from './start/index.ts';

const { stdout, stderr } = process;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => {
    // Whoever says it twice does not want to wait.
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`Received ${signal}`));
  });
}

const leftovers = new Set<() => void>();
process.on('exit', () => {
  for (const remove of leftovers) remove();
});
process.on('uncaughtException', (err) => {
  for (const remove of leftovers) remove();
  stderr.write(`error: ${err.stack ?? err.message}\n`);
  process.exit(1);
});

stdout.on('error', (err: NodeJS.ErrnoException) => {
  // The reader went away, as `head` does: there is nobody left to show anything to.
  if (err.code === 'EPIPE') process.exit(0);
  stderr.write(`error: cannot write the output (${err.message})\n`);
  process.exit(1);
});
// Errors that nobody wants to read are no reason to end.
stderr.on('error', () => {});

const { NO_COLOR = '', TERM = '' } = process.env;
const canDraw = stdout.isTTY && TERM !== 'dumb';

const exitCode = await runProgram(process.argv.slice(2), {
  clock: systemClock,
  output: {
    write: (text) => stdout.write(text),
    terminal: canDraw
      ? { write: (text) => stdout.write(text), size, onResize, onSuspend }
      : undefined,
    colours: canDraw && NO_COLOR === '' ? 'colours' : 'none',
  },
  errors: { write: (text) => stderr.write(text), isTerminal: stderr.isTTY && TERM !== 'dumb' },
  stop: stop.signal,
  temporaryDirectory: tmpdir(),
  atExit(act) {
    leftovers.add(act);
    return () => leftovers.delete(act);
  },
});
process.exitCode = exitCode;
// Something that did not end in time must not keep the terminal. What was said has to be out before, or to
// have failed aloud: that is told a turn later.
stdout.write('', () => setImmediate(() => process.exit(exitCode)));

function size(): { readonly columns: number; readonly lines: number } {
  // Terminals that do not tell their size say 0.
  return { columns: stdout.columns || 80, lines: stdout.rows || 24 };
}

function onResize(listener: () => void): () => void {
  stdout.on('resize', listener);
  process.on('SIGCONT', listener);
  return () => {
    stdout.off('resize', listener);
    process.off('SIGCONT', listener);
  };
}

function onSuspend(listener: () => void): () => void {
  const suspend = (): void => {
    listener();
    process.kill(process.pid, 'SIGSTOP');
  };
  process.on('SIGTSTP', suspend);
  return () => process.off('SIGTSTP', suspend);
}
