/**
 * The program: from a command line to an exit code. What is wrong with flags, files or credentials is
 * said on standard error before anything begins, and ends it with 2. After that it runs until it is
 * told to stop (0) or fails (1), as when it cannot begin for now. One look of a dry run ends by itself: 0
 * nothing would change, 3 something would, 1 that could not be told. Where lines are to be JSON, all are
 * once the flags are read.
 */
import { readFile } from 'node:fs/promises';
import { OneLook, summarise, type Summary, summaryText } from '@tandem/controllers/dry-run';
import { builtFrom, versionLine } from '@tandem/cli/version';
import { createLogger, deadline, type Logger, textLines } from '@tandem/runtime';
import { readSettings, type ReadSettings } from './flags/index.ts';
import { CredentialsRefusedError } from './health/index.ts';
import { hasModule } from './import-provider.ts';
import { type ManagerInput, type ManagerPorts, runManager, StartError } from './run-manager.ts';
import type { ManagerSettings } from './settings/index.ts';
import { kubernetesVersion, version } from './version.ts';

interface ProgramPorts extends Omit<ManagerPorts, 'logger'> {
  /** Of the process, for the lines of its log. */
  readonly pid: number;
  readonly output: Sink;
  readonly errors: Sink;
  /** Is given the log once there is one, for what only the process itself can tell of. */
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

/** In the words of `/statusz`. */
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
  // As upstream's: standard error, so that standard output has nothing but answers.
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

/** Says what is done about a signal as soon as it comes: giving the Lease back may take seconds. */
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

/** One look of a dry run. Being told to end before it is done leaves open what would change. */
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
      // There was no look: flags or files are to be corrected first.
      if (err instanceof StartError) return exitCode;
      failure = err instanceof Error ? err.message : String(err);
    }
  }
  const { missing } = look;
  const summary = summarise(look.findings, { missing, failure });
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
    // The manager was told to stop before it had started: that is no failure.
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
