/**
 * The program: from a command line to an exit code. What is wrong with flags, files or credentials is
 * said on standard error before anything begins, and ends it with 2. After that it runs until it is
 * told to stop (0) or fails (1).
 */
import { readFile } from 'node:fs/promises';
import type { Clock, Environment, Ids, Random } from '@tandem/runtime';
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
  /** Of what runs the program, such as `v24.0.0`. */
  readonly runtimeVersion: string;
  readonly output: Sink;
  readonly errors: Sink;
  /** Aborts when the program is to end. */
  readonly stop: AbortSignal;
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
  const { clock, errors } = ports;
  // As upstream's: standard error, so that standard output has nothing but answers.
  const logger = createManagerLogger({ clock, logging: settings.logging, destination: errors });
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
    if (ports.stop.aborted && err instanceof StartError) return exitOk;
    if (err instanceof StartError) {
      errors.write(`error: ${err.message}\n`);
      return exitBadInput;
    }
    logger.error({ err }, 'Failed');
    return exitFailed;
  }
}
