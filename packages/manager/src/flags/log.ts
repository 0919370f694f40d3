/** The flags of the log. */
import {
  accepted,
  type AnyFlag,
  bool,
  choice,
  duration,
  type GivenFlags,
  int,
  int32Max,
  optionalText,
  quantity,
  refused,
} from '@tandem/cli/flags';
import type { LogLevel } from '@tandem/runtime';
import type { LoggingSettings } from '../settings/index.ts';

const format = {
  name: 'logging-format',
  type: choice('text|json', ['text', 'json'] as const),
  byDefault: 'text',
  help: 'Log format: text (one line each, as other Kubernetes components write) or json (one object per line).',
};

const verbosity = {
  name: 'v',
  short: 'v',
  type: int({ min: 0, max: int32Max }),
  byDefault: '0',
  help: 'Log verbosity. 0 to 3: changes in the cluster and failures. 4 and 5: also the reason for each decision (debug). 6 and above: also network requests (trace).',
};

const oneStream = refused(
  'Tandem logs to one stream. Every line has its severity, so split lines in the log collector',
  'false',
);
const unbuffered = accepted('log lines are not buffered', '0');

export const logFlags: readonly AnyFlag[] = [
  format,
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
  ...['json', 'text'].flatMap((name) => [
    {
      name: `log-${name}-split-stream`,
      type: bool,
      byDefault: 'false',
      support: oneStream,
      help: 'Write errors to standard error and all other lines to standard output.',
    },
    {
      name: `log-${name}-info-buffer-size`,
      type: quantity,
      byDefault: '0',
      support: unbuffered,
      help: 'Size of the log buffer.',
    },
  ]),
];

export function readLogging(given: GivenFlags): LoggingSettings {
  return { format: given.of(format), level: levelOfVerbosity(given.of(verbosity)) };
}

/** Follows upstream's conventions: manifests have 2, 4 is for debugging, and from 6 on the log shows requests. */
export function levelOfVerbosity(v: number): LogLevel {
  if (v >= 6) return 'trace';
  return v >= 4 ? 'debug' : 'info';
}
