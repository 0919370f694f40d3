/** How much `-v` lets through, at the start and when it is set while the program runs. */
import type { LogLevel } from '@tandem/runtime';

/** Upstream's habits: 2 is what manifests have, 4 is for debugging, from 6 on requests are shown. */
export function levelOfVerbosity(verbosity: number): LogLevel {
  if (verbosity >= 6) return 'trace';
  return verbosity >= 4 ? 'debug' : 'info';
}
