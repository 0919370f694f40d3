/**
 * Runs the program from a command line to an exit code. It reports faulty flags, files and credentials on standard
 * error before anything starts, and exits with 2. After that it runs until a signal stops it (0) or it fails (1); a
 * start that may succeed later also exits with 1. A dry run with `--once` exits with 0 if nothing would change, with 3
 * if something would, and with 1 if that is unknown. With `--logging-format=json`, every line after the flags is JSON.
 */
import { readFile } from 'node:fs/promises';
import { OneLook, summarise, type Summary, summaryText } from '@tandem/controllers/dry-run';
import { builtFrom, versionLine } from '@tandem/cli/version';
import { createLogger, deadline, type Logger, textLines } from '@tandem/runtime';
import { readSettings, type ReadSettings } from './flags/index.ts';
import { CredentialsRefusedError } from './health/index.ts';
import { hasModule } from './open-provider.ts';
import { type ManagerInput, type ManagerPorts, runManager, StartError } from './run-manager.ts';
import type { ManagerSettings } from './settings/index.ts';
import { kubernetesVersion, version } from './version.ts';

interface ProgramPorts extends Omit<ManagerPorts, 'logger'> {
  /** The id of the process, for its log. */
  readonly pid: number;
  readonly output: Sink;
  readonly errors: Sink;
  /** Called with the logger as soon as it exists, for messages that only the process can log. */
  readonly onLogger: (logger: Logger) => void;
}

export interface Sink {
  write(text: string): unknown;
}

const exitOk = 0;
const exitFailed = 1;
const exitBadInput = 2;
const exitWouldChange = 3;

type LoggingPorts = ProgramPorts & { readonly logger: Logger };

export async function runProgram(args: readonly string[], ports: ProgramPorts): Promise<number> {
  const { output, errors } = ports;
  const read = await readSettings({
    args,
    readFile: (path) => readFile(path, 'utf8'),
    hasModule,
  });
  switch (read.kind) {
    case 'help':
      output.write(read.text);
      return exitOk;
    case 'version':
      output.write(read.format === 'raw' ? rawVersion(ports) : versionLine(version));
      return exitOk;
    case 'refused':
      for (const problem of read.problems) errors.write(`error: ${problem}\n`);
      return exitBadInput;
    case 'run':
      return run(read, ports);
  }
}

/** The fields have the names that `/statusz` uses. */
function rawVersion({ runtimeVersion }: ProgramPorts): string {
  const versions = {
    binaryVersion: version,
    ...(builtFrom !== undefined && { gitCommit: builtFrom }),
    emulationVersion: kubernetesVersion,
    runtimeVersion,
  };
  return `${JSON.stringify(versions)}\n`;
}

async function run(
  { settings, notes, flags }: Extract<ReadSettings, { readonly kind: 'run' }>,
  ports: ProgramPorts,
): Promise<number> {
  const { clock, errors, pid } = ports;
  // As upstream does, so that standard output has only answers.
  const { logging } = settings;
  const destination = logging.format === 'text' ? textLines(errors, pid) : errors;
  const logger = createLogger({ clock, level: logging.level, destination });
  ports.onLogger(logger);
  logger.info(
    { version, commit: builtFrom, provider: settings.cloud.provider },
    'Starting cloud-controller-manager',
  );
  for (const { level, fields, message } of notes) logger[level](fields, message);
  if (settings.dryRun) logger.info({}, 'Dry run: writing nothing, not taking the Lease');
  tellStopping({ ...ports, logger }, settings);
  if (settings.once !== undefined) {
    return lookOnce({ ...ports, logger }, { settings, flags, once: settings.once });
  }
  return keepRunning({ ...ports, logger }, { settings, flags });
}

/** Logs at once what the manager does about a signal: releasing the Lease may take seconds. */
function tellStopping(
  { stop, logger }: LoggingPorts,
  { dryRun, election }: Pick<ManagerSettings, 'dryRun' | 'election'>,
): void {
  const writes = election.isEnabled
    ? 'finishing writes, and releasing the Lease if it is held'
    : 'finishing writes';
  const message = dryRun ? 'Stopping: ending the dry run' : `Stopping: ${writes}`;
  const tell = (): void => {
    const reason: unknown = stop.reason;
    logger.info({ reason: reason instanceof Error ? reason.message : String(reason) }, message);
  };
  if (stop.aborted) tell();
  else stop.addEventListener('abort', tell, { once: true });
}

/** Runs a dry run with `--once`. If it is stopped early, its result is unknown. */
async function lookOnce(
  ports: LoggingPorts,
  { once, ...input }: ManagerInput & { readonly once: { readonly limitMs: number } },
): Promise<number> {
  const { clock, logger, output } = ports;
  const look = new OneLook({ clock, logger });
  using limit = deadline(clock, once.limitMs, ports.stop);
  const stop = AbortSignal.any([limit.signal, look.over]);
  let failure: string | undefined;
  try {
    await runManager({ ...ports, stop }, { ...input, look });
  } catch (err) {
    if (!stop.aborted) {
      const exitCode = tellFailure(err, ports, input.settings);
      // The dry run did not begin, because flags or files must be corrected first.
      if (err instanceof StartError) return exitCode;
      failure = err instanceof Error ? err.message : String(err);
    }
  }
  const { missing } = look;
  const summary = summarise(look.forecasts, { missing, failure });
  const isJson = input.settings.logging.format === 'json';
  output.write(isJson ? `${JSON.stringify(summary)}\n` : summaryText(summary));
  return exitCodes[summary.result];
}

const exitCodes: Readonly<Record<Summary['result'], number>> = {
  unchanged: exitOk,
  wouldChange: exitWouldChange,
  unknown: exitFailed,
};

async function keepRunning(ports: LoggingPorts, input: ManagerInput): Promise<number> {
  const { logger } = ports;
  try {
    const end = await runManager(ports, input);
    if (end === 'stopped') {
      logger.info({}, 'Stopped');
      return exitOk;
    }
    logger.error(
      {},
      'Lost the Lease and the controllers did not stop; restart the manager to make it a standby',
    );
    return exitFailed;
  } catch (err) {
    // The manager received a signal before it had started, which is not a failure.
    if (ports.stop.aborted && err instanceof StartError) {
      logger.info({}, 'Stopped');
      return exitOk;
    }
    return tellFailure(err, ports, input.settings);
  }
}

function tellFailure(
  err: unknown,
  { logger, errors }: LoggingPorts,
  { logging }: ManagerSettings,
): number {
  if (err instanceof StartError) {
    if (logging.format === 'json') logger.error({ err: err.cause }, 'Could not start');
    else errors.write(`error: ${err.message}\n`);
    return err.canPass ? exitFailed : exitBadInput;
  }
  const isRefused = err instanceof CredentialsRefusedError;
  const refusedMessage = 'Manager stopped: the API server refused its credentials';
  logger.error({ err }, isRefused ? refusedMessage : 'Manager failed');
  return exitFailed;
}
