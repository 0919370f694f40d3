/**
 * The program: from a command line to an exit code. What is wrong with flags, files or credentials is
 * said on standard error before anything begins, and ends it with 2. After that it runs until it is
 * told to stop (0) or fails (1), as when it cannot begin for now. Where lines are to be JSON, all are
 * once the flags are read.
 */
import { readFile } from 'node:fs/promises';
import type { Clock, Environment, Ids, Logger, ProcessUsage, Random } from '@tandem/runtime';
import { readSettings, type ReadSettings } from './flags/index.ts';
import { createManagerLogger } from './logging/index.ts';
import { runManager, StartError } from './run-manager.ts';
import { version } from './version.ts';

export interface ProgramPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly environment: Environment;
  readonly hostname: string;
  /** Of the process, for the lines of its log. */
  readonly pid: number;
  /** Of what runs the program, such as `v24.0.0`. */
  readonly runtimeVersion: string;
  readonly processUsage: ProcessUsage;
  readonly output: Sink;
  readonly errors: Sink;
  /** Aborts when the program is to end. */
  readonly stop: AbortSignal;
  /** Is given the log once there is one, for what only the process itself can tell of. */
  readonly onLogger: (logger: Logger) => void;
}

export interface Sink {
  write(text: string): unknown;
}

const exitOk = 0;
const exitFailed = 1;
const exitBadInput = 2;

export async function runProgram(args: readonly string[], ports: ProgramPorts): Promise<number> {
  const { output, errors } = ports;
  const read = await readSettings({ args, readFile: (path) => readFile(path, 'utf8') });
  switch (read.kind) {
    case 'help':
      output.write(read.text);
      return exitOk;
    case 'version':
      output.write(`Tandem ${version}\n`);
      return exitOk;
    case 'refused':
      for (const problem of read.problems) errors.write(`error: ${problem}\n`);
      return exitBadInput;
    case 'run':
      return run(read, ports);
  }
}

async function run(
  { settings, notes, flags }: Extract<ReadSettings, { readonly kind: 'run' }>,
  ports: ProgramPorts,
): Promise<number> {
  const { clock, errors, pid } = ports;
  // As upstream's: standard error, so that standard output has nothing but answers.
  const { logging } = settings;
  const logger = createManagerLogger({ clock, logging, destination: errors, pid });
  ports.onLogger(logger);
  logger.info({ version, provider: settings.cloud.provider }, 'Started cloud-controller-manager');
  for (const { level, fields, message } of notes) logger[level](fields, message);
  if (settings.dryRun)
    logger.info({}, 'Made this a dry run: nothing will be written, no Lease taken');
  try {
    const end = await runManager({ ...ports, logger }, { settings, flags });
    if (end === 'stopped') {
      logger.info({}, 'Stopped');
      return exitOk;
    }
    logger.error({}, 'Lost the Lease, and its work did not end; start again to be a standby');
    return exitFailed;
  } catch (err) {
    // Whoever told it to end before it had begun got what he wanted.
    if (ports.stop.aborted && err instanceof StartError) {
      logger.info({}, 'Stopped');
      return exitOk;
    }
    if (err instanceof StartError) {
      if (logging.format === 'json') logger.error({ err: err.cause }, 'Could not start');
      else errors.write(`error: ${err.message}\n`);
      return err.canPass ? exitFailed : exitBadInput;
    }
    logger.error({ err }, 'Failed');
    return exitFailed;
  }
}
