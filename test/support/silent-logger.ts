/** A logger for worlds that nobody reads: formatting lines would cost more than what they tell of. */
import type { Logger } from '@tandem/runtime';

export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  trace: () => undefined,
  child: () => silentLogger,
};
