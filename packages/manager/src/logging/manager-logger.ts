/** The logger of the manager, as its flags have it: lines of JSON, or of text for people. */
import { type Clock, createLogger, type Logger } from '@tandem/runtime';
import type { LoggingSettings } from '../settings/index.ts';
import { formatLine, type LineDestination } from './text-lines.ts';

export function createManagerLogger(options: {
  readonly clock: Clock;
  readonly logging: LoggingSettings;
  /** Where lines go, such as standard output. */
  readonly destination: LineDestination;
  /** Of the process; lines of text name it, as klog's do. */
  readonly pid: number;
}): Logger {
  const { clock, logging, destination, pid } = options;
  const print = logging.format === 'text' ? (line: string) => formatLine(line, pid) : String;
  const lines = { write: (line: string) => void destination.write(print(line)) };
  return createLogger({ clock, level: logging.level, destination: lines });
}
