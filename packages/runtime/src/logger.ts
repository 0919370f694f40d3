/**
 * The logger: pino behind a small contract. Messages are constants and facts are fields, so that a
 * log can be searched. Secrets are redacted: by the name of their field wherever it stands, and by the
 * paths that the owner of a logger adds.
 */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { censorFields, redacted } from './censor.ts';
import type { Clock } from './clock.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  error(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  debug(fields: LogFields, message: string): void;
  trace(fields: LogFields, message: string): void;
  /** A logger whose every line carries these fields as well. */
  child(fields: LogFields): Logger;
}

export function createLogger(options: {
  readonly clock: Clock;
  readonly level?: LogLevel;
  /** Where lines go: anything with `write`; standard output when left out. */
  readonly destination?: DestinationStream;
  /** Further paths to redact, in pino's path syntax. */
  readonly redact?: readonly string[];
}): Logger {
  const { clock, level = 'info', destination, redact = [] } = options;
  const settings = {
    level,
    base: null,
    messageKey: 'msg',
    timestamp: () => `,"ts":"${new Date(clock.now()).toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: censorFields,
    },
    // Errors have become fields by then; what pino would make of them once more loses their causes.
    serializers: { err: (fields: unknown) => fields },
    redact: { paths: [...redact], censor: redacted },
  };
  return wrap(destination === undefined ? pino(settings) : pino(settings, destination));
}

/** Pino formats the fields of a line, but not those of a child. */
function wrap(inner: PinoLogger): Logger {
  return {
    error: (fields, message) => inner.error(fields, message),
    warn: (fields, message) => inner.warn(fields, message),
    info: (fields, message) => inner.info(fields, message),
    debug: (fields, message) => inner.debug(fields, message),
    trace: (fields, message) => inner.trace(fields, message),
    child: (fields) => wrap(inner.child(censorFields({ ...fields }))),
  };
}
