/**
 * Certificates as others read them: Node's parser here, Go's in every test that starts a server.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { createAuthority } from './authority.ts';

const nowMs = Date.UTC(2026, 0, 31, 12);

describe('certificates of a control plane', () => {
  it('carry the user as common name and the groups as organizations', () => {
    const { cert } = createAuthority('ca', nowMs).issue({
      commonName: 'jane',
      organizations: ['admins', 'käse'],
      uses: ['clientAuth'],
    });
    assert.equal(new X509Certificate(cert).subject, 'O=admins\nO=käse\nCN=jane');
  });

  it('name a server by DNS name, IPv4 and IPv6 address', () => {
    const { cert } = createAuthority('ca', nowMs).issue({
      commonName: 'server',
      hosts: ['localhost', '127.0.0.1', '::1', 'fd00:10:96::1'],
      uses: ['serverAuth'],
    });
    const certificate = new X509Certificate(cert);
    assert.equal(certificate.checkHost('localhost'), 'localhost');
    for (const address of ['127.0.0.1', '::1', 'fd00:10:96::1']) {
      assert.equal(certificate.checkIP(address), address);
    }
    assert.equal(certificate.checkIP('127.0.0.2'), undefined);
  });

  it('are valid from an hour before they were made until a month after', () => {
    const certificate = new X509Certificate(createAuthority('ca', nowMs).cert);
    assert.equal(certificate.validFrom, 'Jan 31 11:00:00 2026 GMT');
    assert.equal(certificate.validTo, 'Mar  2 12:00:00 2026 GMT');
  });

  it('stay readable past the year 2050, where their form of time changes', () => {
    const certificate = new X509Certificate(createAuthority('ca', Date.UTC(2050, 5, 1)).cert);
    assert.equal(certificate.validFrom, 'May 31 23:00:00 2050 GMT');
  });

  it('are signed by their own authority and by no namesake', () => {
    const [authority, namesake] = [createAuthority('ca', nowMs), createAuthority('ca', nowMs)];
    const leaf = new X509Certificate(
      authority.issue({ commonName: 'jane', uses: ['clientAuth'] }).cert,
    );
    assert.equal(new X509Certificate(authority.cert).ca, true);
    assert.equal(leaf.ca, false);
    assert.equal(leaf.verify(new X509Certificate(authority.cert).publicKey), true);
    assert.equal(leaf.verify(new X509Certificate(namesake.cert).publicKey), false);
  });
});
