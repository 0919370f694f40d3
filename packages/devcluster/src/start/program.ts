/** The program `npm start`: from a command line to an exit code. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { helpText, readOptions, type StartCommand } from './options/index.ts';
import { exitBadInput, exitFailed, exitOk, type StartPorts } from './ports.ts';
import { runLive } from './run-live.ts';
import { runOnce } from './run-once.ts';
import { observeDemo } from './observed-demo.ts';

export async function runProgram(args: readonly string[], ports: StartPorts): Promise<number> {
  const command = readOptions(args);
  switch (command.kind) {
    case 'help':
      ports.output.write(helpText());
      return exitOk;
    case 'invalid':
      for (const problem of command.problems) ports.errors.write(`error: ${problem}\n`);
      return exitBadInput;
    case 'once':
    case 'live':
      return run(command, ports);
  }
}

async function run(
  command: Extract<StartCommand, { readonly kind: 'once' | 'live' }>,
  ports: StartPorts,
): Promise<number> {
  const log = openLog(command.settings.log, ports);
  if (log === undefined) return exitBadInput;
  try {
    const { clock } = ports;
    const userEdits = command.kind === 'once' ? 'impossible' : 'possible';
    const observed = observeDemo(command.settings, { clock, userEdits, log: log.write });
    return command.kind === 'once'
      ? await runOnce(command, observed, ports)
      : await runLive(command, observed, ports);
  } catch (err) {
    ports.errors.write(
      `error: ${err instanceof Error ? (err.stack ?? err.message) : String(err)}\n`,
    );
    return exitFailed;
  } finally {
    log.close();
  }
}

interface Log {
  readonly write: ((line: string) => void) | undefined;
  close(): void;
}

/** Writes an error and returns undefined if the file cannot be opened. */
function openLog(path: string | undefined, { errors }: StartPorts): Log | undefined {
  if (path === undefined) return { write: undefined, close: () => undefined };
  try {
    const file = openSync(path, 'a');
    return { write: writerTo(file, errors), close: () => closeSync(file) };
  } catch (err) {
    errors.write(
      `error: cannot open the --log file (${whyOf(err)}): choose a file in an existing directory\n`,
    );
    return undefined;
  }
}

/** A full disk ends the log with one error, and the program goes on. */
function writerTo(file: number, errors: StartPorts['errors']): (line: string) => void {
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      writeSync(file, line);
    } catch (err) {
      isBroken = true;
      errors.write(
        `error: cannot write to the --log file (${whyOf(err)}): logging to it has stopped\n`,
      );
    }
  };
}

function whyOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
