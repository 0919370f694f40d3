/** Reads the certificates with Node's parser. Every test that starts a server reads them with Go's. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { createAuthority } from './authority.ts';

const nowMs = Date.UTC(2026, 0, 31, 12);
const validityMs = 30 * 24 * 3_600_000;
const anAuthority = () => createAuthority({ commonName: 'ca', nowMs, validityMs });

describe('certificates of an authority', () => {
  it('carry the user as common name and the groups as organizations', () => {
    const { cert } = anAuthority().issue({
      commonName: 'jane',
      organizations: ['admins', 'käse'],
      uses: ['clientAuth'],
    });
    const certificate = new X509Certificate(cert);
    assert.equal(certificate.subject, 'O=admins\nO=käse\nCN=jane');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  });

  it('name a server by DNS name, IPv4 and IPv6 address', () => {
    const addresses = ['127.0.0.1', '::1', 'fd00:10:96::1', 'fd00::12:0:1'];
    const { cert } = anAuthority().issue({
      commonName: 'server',
      hosts: ['localhost', ...addresses],
      uses: ['serverAuth'],
    });
    const certificate = new X509Certificate(cert);
    assert.equal(certificate.checkHost('localhost'), 'localhost');
    for (const address of addresses) assert.equal(certificate.checkIP(address), address);
    assert.equal(certificate.checkIP('127.0.0.2'), undefined);
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  it('are valid from an hour before their creation to the end of the given validity', () => {
    const certificate = new X509Certificate(anAuthority().cert);
    assert.equal(certificate.validFrom, 'Jan 31 11:00:00 2026 GMT');
    assert.equal(certificate.validTo, 'Mar  2 12:00:00 2026 GMT');
  });

  it('have readable dates from 2050 on, when the encoding of dates changes', () => {
    const late = createAuthority({ commonName: 'ca', nowMs: Date.UTC(2050, 5, 1), validityMs });
    assert.equal(new X509Certificate(late.cert).validFrom, 'May 31 23:00:00 2050 GMT');
  });

  it('are signed by their own authority, not by another with the same name', () => {
    const [authority, namesake] = [anAuthority(), anAuthority()];
    const [own, other] = [new X509Certificate(authority.cert), new X509Certificate(namesake.cert)];
    const { cert } = authority.issue({ commonName: 'jane', uses: ['clientAuth'] });
    const leaf = new X509Certificate(cert);
    assert.ok(own.ca && own.checkIssued(own) && own.verify(own.publicKey));
    assert.ok(!leaf.ca && leaf.checkIssued(own) && leaf.verify(own.publicKey));
    assert.ok(!leaf.verify(other.publicKey));
    assert.notEqual(leaf.serialNumber, own.serialNumber);
  });
});
