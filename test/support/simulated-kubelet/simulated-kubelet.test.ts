import assert from 'node:assert/strict';
import { reportedAddresses } from './reported-addresses.ts';

const machine = { IPv4: '192.0.2.7', IPv6: '2001:db8::7' };

const cases: readonly { nodeIP: string | null; want: readonly string[] }[] = [
  { nodeIP: null, want: [] },
  { nodeIP: '', want: [] },
  { nodeIP: '0.0.0.0', want: ['192.0.2.7'] },
  { nodeIP: '::', want: ['2001:db8::7'] },
  { nodeIP: '10.0.0.1', want: ['10.0.0.1'] },
  { nodeIP: 'fd00::1, 10.0.0.1', want: ['fd00::1', '10.0.0.1'] },
  { nodeIP: 'IPv6', want: [] },
  { nodeIP: 'IPv6,10.0.0.1', want: [] },
];

describe('addresses that a kubelet reports before the cloud has spoken', () => {
  for (const { nodeIP, want } of cases) {
    it(`for --node-ip=${nodeIP} are ${want.join(' and ') || 'none'} and its Hostname`, () => {
      const addresses = reportedAddresses({ hostname: 'node-0', nodeIP, machine });
      assert.deepEqual(addresses, [
        ...want.map((address) => ({ type: 'InternalIP', address })),
        { type: 'Hostname', address: 'node-0' },
      ]);
    });
  }
});
