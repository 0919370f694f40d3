#!/usr/bin/env node
/**
 * The entry of `npm start`: passes the arguments, streams and signals of the process to the program. However the
 * process ends, it removes its files and restores the terminal.
 */
import { tmpdir } from 'node:os';
import { systemClock } from '@tandem/runtime';
import { runProgram } from './start/index.ts';

const { stdout, stderr } = process;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => {
    // A second signal means that the user does not want to wait.
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
  // The reader has left, as `head` does, so that nobody sees further output.
  if (err.code === 'EPIPE') process.exit(0);
  stderr.write(`error: cannot write the output (${err.message})\n`);
  process.exit(1);
});
// The program goes on when nobody reads its errors.
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
// Work that did not end in time must not keep the terminal. The output is flushed first; a write that fails
// reports its error one turn later.
stdout.write('', () => setImmediate(() => process.exit(exitCode)));

function size(): { readonly columns: number; readonly lines: number } {
  // Terminals that do not know their size report 0.
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
