/** Tests the options about the cluster and its manager, and which of them are refused before anything is read. */
import assert from 'node:assert/strict';
import { GivenOptions } from '@tandem/cli/options';
import { liveOptions, readLive } from './options.ts';

function read(text: string) {
  const given = new GivenOptions(text === '' ? [] : text.split(' '), liveOptions);
  return { settings: readLive(given), problems: given.problems };
}

describe('the options of commands that read a cluster', () => {
  const good = [
    { args: '', want: { kind: 'leader', port: 10_258 } },
    { args: '--manager-port 443', want: { kind: 'leader', port: 443 } },
    { args: '--no-manager', want: { kind: 'none' } },
    {
      args: '--manager https://[::1]:10258/',
      want: { kind: 'url', url: 'https://[::1]:10258', caFile: undefined, isVerified: true },
    },
    {
      args: '--manager https://m:1 --manager-ca ca.crt',
      want: { kind: 'url', url: 'https://m:1', caFile: 'ca.crt', isVerified: true },
    },
    {
      args: '--manager https://m:1 --manager-skip-tls-verify',
      want: { kind: 'url', url: 'https://m:1', caFile: undefined, isVerified: false },
    },
  ];
  for (const { args, want } of good) {
    it(`determine how to reach the manager: ${args || 'no options'}`, () => {
      const { settings, problems } = read(args);
      assert.deepEqual([settings.manager, problems], [want, []]);
    });
  }

  const bad = [
    { args: '--manager http://m:1', want: /expected https:\/\/HOST:PORT/ },
    { args: '--manager m:1', want: /expected https:\/\/HOST:PORT/ },
    { args: '--manager https://m:1/metrics', want: /expected https:\/\/HOST:PORT/ },
    { args: '--manager https://user:secret@m:1', want: /expected https:\/\/HOST:PORT/ },
    { args: '--manager-ca ca.crt', want: /--manager-ca requires --manager/ },
    { args: '--manager-skip-tls-verify', want: /--manager-skip-tls-verify requires --manager/ },
    { args: '--manager-port 0', want: /is not a whole number from 1 to 65535/ },
    { args: '--no-manager --manager https://m:1', want: /cannot be combined with --no-manager/ },
    { args: '--manager https://m:1 --manager-port 1', want: /cannot be combined with --manager/ },
    {
      args: '--manager https://m:1 --manager-ca a --manager-skip-tls-verify',
      want: /--manager-ca cannot be combined with --manager-skip-tls-verify/,
    },
    { args: '--lease cloud-controller-manager', want: /is not NAMESPACE\/NAME/ },
    { args: '--lease ../nodes/x', want: /is not NAMESPACE\/NAME/ },
  ];
  for (const { args, want } of bad) {
    it(`are refused: ${args}`, () => {
      assert.match(read(args).problems.join('\n'), want);
    });
  }
});
