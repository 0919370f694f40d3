/** A logger for simulations whose log is not read: formatting lines would cost more than everything else. */
import type { Logger } from '@tandem/runtime';

export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
  child: () => silentLogger,
};
