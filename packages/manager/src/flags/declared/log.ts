/** What is logged, and how. */
import {
  accepted,
  type AnyFlag,
  bool,
  choice,
  type DefaultedFlag,
  duration,
  honoured,
  int,
  int32Max,
  optionalText,
  quantity,
  refused,
} from '@tandem/cli/flags';
import type { LogLevel } from '@tandem/runtime';

export const loggingFormat: DefaultedFlag<'text' | 'json'> = {
  name: 'logging-format',
  type: choice('text|json', ['text', 'json']),
  byDefault: 'text',
  support: honoured,
  help: 'Log format: text (one line each, as other Kubernetes components write) or json (one object per line).',
};

export const verbosity: DefaultedFlag<number> = {
  name: 'v',
  short: 'v',
  type: int({ min: 0, max: int32Max }),
  byDefault: '0',
  support: honoured,
  help: 'Log verbosity. 0 to 3: changes in the cluster and failures. 4 and 5: also the reason for each decision (debug). 6 and above: also network requests (trace).',
};

/** Upstream's habits: 2 is what manifests have, 4 is for debugging, from 6 on requests are shown. */
export function levelOfVerbosity(v: number): LogLevel {
  if (v >= 6) return 'trace';
  return v >= 4 ? 'debug' : 'info';
}

const oneStream = refused(
  'Tandem logs to one stream. Every line has its severity, so split lines in the log collector',
  'false',
);
const unbuffered = accepted('log lines are not buffered', '0');

export const logFlags: readonly AnyFlag[] = [
  loggingFormat,
  verbosity,
  {
    name: 'vmodule',
    type: optionalText,
    support: accepted('Tandem has no Go files; -v applies to all log lines', ''),
    help: 'Log verbosity per file.',
  },
  {
    name: 'log-flush-frequency',
    type: duration(),
    byDefault: '5s',
    support: accepted('log lines are not buffered'),
    help: 'Maximum time before log lines are flushed.',
  },
  ...['json', 'text'].flatMap((format) => [
    {
      name: `log-${format}-split-stream`,
      type: bool,
      byDefault: 'false',
      support: oneStream,
      help: 'Write errors to standard error and all other lines to standard output.',
    },
    {
      name: `log-${format}-info-buffer-size`,
      type: quantity,
      byDefault: '0',
      support: unbuffered,
      help: 'Size of the log buffer.',
    },
  ]),
];
