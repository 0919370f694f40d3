/**
 * What the command line of `npm run control-plane` takes, as a table.
 */
import assert from 'node:assert/strict';
import { type Command, parseCommandLine } from './command-line.ts';

const refused = (reason: string): Command => ({ kind: 'refused', reason });

const cases: readonly { given: string; want: Command }[] = [
  { given: '--frobnicate', want: refused("Unknown option '--frobnicate'") },
  { given: 'dir surplus', want: refused("Unexpected argument 'surplus' after DIR") },
  { given: '--secure-port', want: refused("Option '--secure-port <value>' argument missing") },
  { given: '--secure-port 0', want: refused("--secure-port is 1 to 65535, not '0'") },
  { given: '--secure-port 65536', want: refused("--secure-port is 1 to 65535, not '65536'") },
  { given: '--secure-port 6443x', want: refused("--secure-port is 1 to 65535, not '6443x'") },
  { given: '--event-ttl 0s', want: refused("--event-ttl is a time such as 30s or 5m, not '0s'") },
  { given: '--event-ttl 5', want: refused("--event-ttl is a time such as 30s or 5m, not '5'") },
  { given: '--watch-cache no', want: refused("--watch-cache is on or off, not 'no'") },
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
    it(`takes ${given} as ${want.kind === 'refused' ? want.reason : want.kind}`, () => {
      assert.deepEqual(parseCommandLine(given.split(' ')), want);
    });
  }
});
