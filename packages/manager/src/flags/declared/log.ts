/** What is logged, and how. */
import { accepted, type AnyFlag, type DefaultedFlag, honoured, refused } from '../flag.ts';
import { bool, choice, duration, int, int32Max, optionalText, quantity } from '../values/index.ts';

export const loggingFormat: DefaultedFlag<'text' | 'json'> = {
  name: 'logging-format',
  type: choice('text|json', ['text', 'json']),
  byDefault: 'text',
  standing: honoured,
  help: 'How log lines are written: text, one line for people as other components of Kubernetes have it, or json, one object a line for machines.',
};

export const verbosity: DefaultedFlag<number> = {
  name: 'v',
  short: 'v',
  type: int({ min: 0, max: int32Max }),
  byDefault: '0',
  standing: honoured,
  help: 'How much is logged: 0 to 3, what changed in the cluster and what went wrong; 4 and 5, also why each decision was made (debug); 6 and more, also what went over the wire (trace).',
};

const oneStream = refused(
  'all lines go to one stream: each says how serious it is, so split them where they are collected',
  'false',
);
const unbuffered = accepted('lines are written as they come', '0');

export const logFlags: readonly AnyFlag[] = [
  loggingFormat,
  verbosity,
  {
    name: 'vmodule',
    type: optionalText,
    standing: accepted('there are no Go files to choose by name: -v counts for everything', ''),
    help: 'More of the log of some files.',
  },
  {
    name: 'log-flush-frequency',
    type: duration(),
    byDefault: '5s',
    standing: accepted('lines are written as they come'),
    help: 'The most time that a log line is held back.',
  },
  ...['json', 'text'].flatMap((format) => [
    {
      name: `log-${format}-split-stream`,
      type: bool,
      byDefault: 'false',
      standing: oneStream,
      help: 'Whether errors go to standard error and the rest to standard output.',
    },
    {
      name: `log-${format}-info-buffer-size`,
      type: quantity,
      byDefault: '0',
      standing: unbuffered,
      help: 'How much is held back before it is written.',
    },
  ]),
];
