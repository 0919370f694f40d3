import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { createAuthority } from './authority.ts';

describe('the authority of the embedded cluster', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  const authority = createAuthority(nowMs);
  const ca = new X509Certificate(authority.cert);

  it('certifies itself, and nobody but an authority', () => {
    assert.ok(ca.ca);
    assert.ok(ca.verify(ca.publicKey));
    assert.ok(ca.checkIssued(ca));
    assert.ok(Date.parse(ca.validFrom) < nowMs && nowMs < Date.parse(ca.validTo));
  });

  it('issues server certificates for names and addresses of both families', () => {
    const hosts = ['localhost', '127.0.0.1', '::1', 'fd00::12:0:1'];
    const pair = authority.issue({ commonName: 'server', hosts, use: 'serverAuth' });
    const leaf = new X509Certificate(pair.cert);
    assert.ok(leaf.checkIssued(ca) && leaf.verify(ca.publicKey) && !leaf.ca);
    assert.equal(leaf.checkHost('localhost'), 'localhost');
    for (const address of hosts.slice(1)) assert.equal(leaf.checkIP(address), address);
    assert.equal(leaf.checkIP('127.0.0.2'), undefined);
    assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  it('issues client certificates with the groups of a user', () => {
    const pair = authority.issue({
      commonName: 'somebody',
      organizations: ['a', 'b'],
      use: 'clientAuth',
    });
    const leaf = new X509Certificate(pair.cert);
    assert.deepEqual(leaf.subject.split('\n'), ['O=a', 'O=b', 'CN=somebody']);
    assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.notEqual(leaf.serialNumber, ca.serialNumber);
  });
});
