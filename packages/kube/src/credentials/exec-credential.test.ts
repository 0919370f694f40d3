import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseExecCredential } from './exec-credential.ts';

const v1 = 'client.authentication.k8s.io/v1';
const answer = (status: unknown, changes: object = {}): string =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion: v1, status, ...changes });

describe('parseExecCredential', () => {
  it('reads a token, a certificate, a key and an expiry', () => {
    const status = {
      token: 't',
      clientCertificateData: 'c',
      clientKeyData: 'k',
      expirationTimestamp: '2026-01-01T00:00:00Z',
    };
    assert.deepEqual(parseExecCredential(answer(status), v1), {
      kind: 'credential',
      credential: { token: 't', cert: 'c', key: 'k', expiresAtMs: Date.UTC(2026, 0, 1) },
    });
  });

  const cases: { name: string; given: string; says: RegExp }[] = [
    { name: 'an empty output', given: '', says: /not JSON/ },
    { name: 'a list', given: '[]', says: /not an ExecCredential/ },
    { name: 'another kind of object', given: '{"kind":"Pod"}', says: /not an ExecCredential/ },
    {
      name: 'another apiVersion',
      given: answer({ token: 't' }, { apiVersion: 'v2' }),
      says: /apiVersion/,
    },
    { name: 'a missing status', given: answer(undefined), says: /neither status\.token/ },
    { name: 'an empty token', given: answer({ token: '' }), says: /neither status\.token/ },
    {
      name: 'a certificate without a key',
      given: answer({ clientCertificateData: 'c' }),
      says: /only one of/,
    },
    {
      name: 'an invalid expiry',
      given: answer({ token: 't', expirationTimestamp: 'tomorrow' }),
      says: /expirationTimestamp/,
    },
  ];
  for (const { name, given, says } of cases) {
    it(`rejects ${name}`, () => {
      const parsed = parseExecCredential(given, v1);
      assert.ok(parsed.kind === 'nonsense');
      assert.match(parsed.problem, says);
    });
  }

  it('never quotes the answer, which may contain a secret', () => {
    const secret = 'c2VjcmV0';
    fc.assert(
      fc.property(fc.constantFrom(`"${secret}"`, secret, `{"kind":"${secret}"}`), (given) => {
        assert.doesNotMatch(JSON.stringify(parseExecCredential(given, v1)), new RegExp(secret));
      }),
    );
  });
});
