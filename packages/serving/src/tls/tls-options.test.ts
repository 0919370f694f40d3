import assert from 'node:assert/strict';
import { createSecureContext } from 'node:tls';
import type { TlsSettings } from '../serving-settings.ts';
import { tlsOptions, tlsProblems } from './tls-options.ts';

const plain: TlsSettings = { cipherSuites: [], curvePreferences: [], minVersion: 'VersionTLS12' };

describe('the TLS settings', () => {
  it('default to strong suites of both versions, without CBC and static RSA', () => {
    const { ciphers = '', ecdhCurve, minVersion } = tlsOptions(plain);
    const names = ciphers.split(':');
    assert.ok(
      names.every((name) => /^TLS_|^ECDHE-.*(?:GCM|CHACHA20)/.test(name)),
      ciphers,
    );
    assert.equal(names.length, 9);
    assert.equal(ecdhCurve, 'X25519MLKEM768:X25519:prime256v1:secp384r1:secp521r1');
    assert.equal(minVersion, 'TLSv1.2');
    createSecureContext(tlsOptions(plain));
  });

  it('keep all TLS 1.3 suites beside a list of TLS 1.2 suites, unless the list names one of TLS 1.3', () => {
    const older = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_RSA_WITH_AES_128_CBC_SHA'];
    assert.equal(
      tlsOptions({ ...plain, cipherSuites: older }).ciphers,
      'ECDHE-RSA-AES128-GCM-SHA256:AES128-SHA:' +
        'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256',
    );
    const narrow = ['TLS_AES_256_GCM_SHA384', 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305'];
    assert.equal(
      tlsOptions({ ...plain, cipherSuites: narrow }).ciphers,
      'TLS_AES_256_GCM_SHA384:ECDHE-ECDSA-CHACHA20-POLY1305',
    );
  });

  it('accept every curve that Go has a number for', () => {
    const curvePreferences = [23, 24, 25, 29, 4587, 4588, 4589];
    assert.deepEqual(tlsProblems({ ...plain, curvePreferences }), []);
  });

  it('that are not supported are reported all at once', () => {
    const problems = tlsProblems({
      cipherSuites: ['TLS_NONSENSE', 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'],
      curvePreferences: [29, 1, 29],
      minVersion: 'VersionTLS12',
    });
    const heads = problems.map((problem) => problem.split('.')[0]);
    assert.deepEqual(heads, [
      '--tls-cipher-suites: "TLS_NONSENSE" is not a supported cipher suite',
      '--tls-cipher-suites: "TLS_RSA_WITH_3DES_EDE_CBC_SHA" is not a supported cipher suite',
      '--tls-curve-preferences: 1 is not a supported curve',
      '--tls-curve-preferences: 29 appears twice',
    ]);
  });
});
