/**
 * What the command line of `npm run control-plane` takes, as a table.
 */
import assert from 'node:assert/strict';
import { type Command, parseCommandLine } from './command-line.ts';

const refused = (...problems: readonly string[]): Command => ({ kind: 'refused', problems });

const cases: readonly { given: string; want: Command }[] = [
  { given: '--frobnicate', want: refused('unknown option --frobnicate: see --help') },
  {
    given: 'dir surplus',
    want: refused('unexpected argument "surplus": DIR is the only argument, see --help'),
  },
  { given: '--secure-port', want: refused('--secure-port requires a value: expected N') },
  {
    given: '--secure-port 0',
    want: refused('--secure-port "0" is not a whole number from 1 to 65535'),
  },
  {
    given: '--secure-port 65536',
    want: refused('--secure-port "65536" is not a whole number from 1 to 65535'),
  },
  {
    given: '--secure-port 6443x',
    want: refused('--secure-port "6443x" is not a whole number from 1 to 65535'),
  },
  {
    given: '--event-ttl 0s',
    want: refused('--event-ttl "0s" is not a duration such as 30s or 5m'),
  },
  { given: '--event-ttl 5', want: refused('--event-ttl "5" is not a duration such as 30s or 5m') },
  { given: '--watch-cache no', want: refused('--watch-cache "no" is not one of on, off') },
  { given: 'dir --help', want: { kind: 'help' } },
  { given: '-h', want: { kind: 'help' } },
  { given: 'dir', want: { kind: 'start', options: { directory: 'dir' } } },
  {
    given: '--secure-port 6443 dir --audit --event-ttl 1h30m --watch-cache off',
    want: {
      kind: 'start',
      options: {
        directory: 'dir',
        securePort: 6443,
        eventTtl: '1h30m',
        watchCache: 'off',
        audit: 'on',
      },
    },
  },
];

describe('the command line of npm run control-plane', () => {
  it('needs no argument: the directory is then a temporary one', () => {
    assert.deepEqual(parseCommandLine([]), { kind: 'start', options: {} });
  });

  it('refuses a directory whose name is empty, as from an unset variable', () => {
    assert.deepEqual(parseCommandLine(['']), refused('DIR is empty'));
  });

  for (const { given, want } of cases) {
    it(`takes ${given} as ${want.kind === 'refused' ? want.problems.join(', ') : want.kind}`, () => {
      assert.deepEqual(parseCommandLine(given.split(' ')), want);
    });
  }
});
