/**
 * The logger whose lines are text. Facts that are words, numbers or the like – nearly all are – become
 * text at once, which takes half the time; a line with anything else, such as an error, is written
 * as JSON first, where causes and limits are seen to. No secret gets through either way.
 */
import {
  censorFields,
  type Clock,
  createLogger,
  type LogFields,
  type Logger,
  type LogLevel,
} from '@tandem/runtime';
import { formatRecord, type LineDestination, textDestination } from './text-lines.ts';

export interface TextLoggerOptions {
  readonly clock: Clock;
  readonly level: LogLevel;
  readonly destination: LineDestination;
  /** Of the process, which every line names. */
  readonly pid: number;
}

export function createTextLogger(options: TextLoggerOptions): Logger {
  const { clock, level, destination, pid } = options;
  const thorough = createLogger({ clock, level, destination: textDestination(destination, pid) });
  return wrap({ clock, destination, pid, shown: { level } }, thorough, {});
}

/** What a logger shares with all of its family. */
interface Family extends Omit<TextLoggerOptions, 'level'> {
  readonly shown: { level: LogLevel };
}

/** `bound` is what every line of the logger says; a line cannot say it otherwise. */
function wrap(family: Family, thorough: Logger, bound: LogFields): Logger {
  const { clock, destination, pid, shown } = family;
  const own = censorFields(bound);
  const sayAt = (level: LogLevel): Logger[LogLevel] => {
    return (fields, message) => {
      if (depths[level] > depths[shown.level]) return;
      const facts = { ...own, ...censorFields(fields), ...own };
      if (!Object.values(facts).every(isPlain)) return thorough[level](fields, message);
      const time = new Date(clock.now()).toISOString();
      destination.write(formatRecord({ level, time, message, facts, pid }));
    };
  };
  return {
    error: sayAt('error'),
    warn: sayAt('warn'),
    info: sayAt('info'),
    debug: sayAt('debug'),
    trace: sayAt('trace'),
    child: (fields) => wrap(family, thorough.child(fields), { ...bound, ...fields }),
    setLevel(level) {
      shown.level = level;
      thorough.setLevel?.(level);
    },
  };
}

const depths: Readonly<Record<LogLevel, number>> = {
  error: 0,
  warn: 1,
  info: 2,
  debug: 3,
  trace: 4,
};

function isPlain(value: unknown): boolean {
  return value === null || plainTypes.has(typeof value);
}

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined']);
