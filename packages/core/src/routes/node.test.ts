import assert from 'node:assert/strict';
import { internalIPsOf } from './node.ts';
import { address } from './routes.fixture.ts';

describe('the next hops of a node', () => {
  it('are its first InternalIP of each family', () => {
    const addresses = [
      { type: 'Hostname', address: '10.0.0.9' },
      { type: 'ExternalIP', address: '192.0.2.1' },
      { type: 'InternalIP', address: 'not an address' },
      { type: 'InternalIP', address: 'fd00::1' },
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: '10.0.0.2' },
    ];
    assert.deepEqual(internalIPsOf(addresses), {
      IPv4: address('10.0.0.1'),
      IPv6: address('fd00::1'),
    });
  });

  it('lack a family without an InternalIP', () => {
    assert.deepEqual(internalIPsOf([{ type: 'ExternalIP', address: '192.0.2.1' }]), {});
  });
});
