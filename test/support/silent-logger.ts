/** A logger for worlds whose log is not read: formatting lines would cost more than the rest of the world. */
import type { Logger } from '@tandem/runtime';

export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
  child: () => silentLogger,
};
