import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { readCertificates } from './pem.ts';
import { createSelfSigned, selfSignedValidityMs } from './self-signed.ts';

const nowMs = Date.UTC(2026, 5, 1);
const hosts = ['localhost', '127.0.0.1', '::1', 'fd00::1:2', 'manager.example'];

describe('a self-signed certificate', () => {
  const { cert, key } = createSelfSigned({ nowMs, hosts });
  const [leaf, authority, ...others] = readCertificates(cert) ?? [];
  assert.ok(leaf && authority);

  it('is for servers, and for the given names and addresses', () => {
    assert.equal(
      leaf.subjectAltName,
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, ' +
        'IP Address:FD00:0:0:0:0:0:1:2, DNS:manager.example',
    );
    assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.1']);
    assert.equal(leaf.ca, false);
  });

  it('is followed by the authority that signed it, whose key is not kept', () => {
    assert.equal(others.length, 0);
    assert.ok(authority.ca);
    assert.ok(leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
    assert.ok(authority.checkIssued(authority) && authority.verify(authority.publicKey));
    assert.ok(leaf.checkPrivateKey(createPrivateKey(key)));
    assert.ok(!authority.checkPrivateKey(createPrivateKey(key)));
  });

  it('is valid for a year, and from an hour before its creation for clocks that run behind', () => {
    assert.equal(leaf.validFromDate.getTime(), nowMs - 3_600_000);
    assert.equal(leaf.validToDate.getTime(), nowMs + selfSignedValidityMs);
  });

  it('can be created after 2050', () => {
    const late = Date.UTC(2060, 0, 1);
    const [certificate] = readCertificates(createSelfSigned({ nowMs: late, hosts }).cert) ?? [];
    assert.equal(certificate?.validFromDate.getTime(), late - 3_600_000);
  });
});
