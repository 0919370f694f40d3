/**
 * The logger: pino behind a small contract. Messages are constants and facts are fields, so that a
 * log can be searched; secrets are redacted by path wherever an object carries them.
 */
import { type DestinationStream, pino } from 'pino';
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

/** Names of fields that hold a secret, wherever in the first three levels they stand. */
const secretFields = [
  'token',
  'accessToken',
  'bearerToken',
  'password',
  'secret',
  'clientSecret',
  'secretAccessKey',
  'sessionToken',
  'privateKey',
  'clientKeyData',
  'authorization',
  'Authorization',
  'cookie',
  '["client-key-data"]',
  '["x-api-key"]',
];

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
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: pino.stdSerializers.errWithCause },
    redact: { paths: [...secretFields.flatMap(atThreeLevels), ...redact], censor: '[redacted]' },
  };
  return destination === undefined ? pino(settings) : pino(settings, destination);
}

function atThreeLevels(field: string): string[] {
  const below = (parent: string): string =>
    field.startsWith('[') ? parent + field : `${parent}.${field}`;
  return [field, below('*'), below('*.*')];
}
