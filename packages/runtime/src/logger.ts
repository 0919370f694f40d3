/**
 * The logger: pino behind a small contract. Messages are constants and facts are fields, so that a
 * log can be searched. Secrets are redacted by the name of their field, at any depth, and by the paths that
 * the owner of a logger adds.
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
  /** Changes what is written from now on, by this logger, its parents and all of their children. */
  setLevel?(level: LogLevel): void;
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
    // The censor has already turned errors into fields. A second conversion would lose their causes.
    serializers: { err: (fields: unknown) => fields },
    redact: { paths: [...redact], censor: redacted },
  };
  return wrap(destination === undefined ? pino(settings) : pino(settings, destination), {});
}

/** Pino formats the fields of a line, but not those of a child, and would write a key twice. */
function wrap(root: PinoLogger, bound: LogFields): Logger {
  const own = Object.keys(bound).length === 0 ? root : root.child(censorFields({ ...bound }));
  const rest = (fields: LogFields): LogFields => withoutBound(fields, bound);
  // A pino child keeps the level that its parent had when the child was created.
  const inner = (): PinoLogger => {
    if (own.level !== root.level) own.level = root.level;
    return own;
  };
  return {
    error: (fields, message) => inner().error(rest(fields), message),
    warn: (fields, message) => inner().warn(rest(fields), message),
    info: (fields, message) => inner().info(rest(fields), message),
    debug: (fields, message) => inner().debug(rest(fields), message),
    trace: (fields, message) => inner().trace(rest(fields), message),
    child: (fields) => wrap(root, { ...bound, ...fields }),
    setLevel: (level) => void (root.level = level),
  };
}

/** Removes the fields that the logger already writes on every line. */
function withoutBound(fields: LogFields, bound: LogFields): LogFields {
  if (!Object.keys(bound).some((key) => key in fields)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !(key in bound)));
}
