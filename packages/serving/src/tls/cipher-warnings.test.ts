import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { TlsSettings } from '../serving-settings.ts';
import { unusableSuites, uselessSuites } from './cipher-warnings.ts';

const forRsa = 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256';
const forEc = 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256';
const modern = 'TLS_AES_128_GCM_SHA256';
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey;

const with12 = (...cipherSuites: string[]): TlsSettings => ({
  cipherSuites,
  curvePreferences: [],
  minVersion: 'VersionTLS12',
});

describe('a warning of cipher suites', () => {
  const cases: { name: string; suites: string[]; publicKey: KeyObject; want?: RegExp }[] = [
    { name: 'suites of RSA, key of EC', suites: [forRsa], publicKey: ec, want: /with ECDSA in/ },
    { name: 'suites of EC, key of RSA', suites: [forEc], publicKey: rsa, want: /with RSA in/ },
    { name: 'one of them that works', suites: [forRsa, forEc], publicKey: ec },
    { name: 'static RSA and its key', suites: ['TLS_RSA_WITH_AES_128_CBC_SHA'], publicKey: rsa },
    { name: 'nothing chosen', suites: [], publicKey: ec },
    { name: 'nothing but TLS 1.3', suites: [modern], publicKey: ec },
  ];
  for (const { name, suites, publicKey, want } of cases) {
    it(`is ${want === undefined ? 'not ' : ''}given for ${name}`, () => {
      const said = unusableSuites(with12(...suites), { publicKey });
      if (want === undefined) assert.equal(said, undefined);
      else assert.match(said ?? '', want);
    });
  }

  it('is given for suites of a version that is not served', () => {
    const only13 = { ...with12(forRsa, modern), minVersion: 'VersionTLS13' } as const;
    assert.match(
      uselessSuites(only13) ?? '',
      new RegExp(`have no effect with --tls-min-version=VersionTLS13 \\(${forRsa}\\)`),
    );
    assert.equal(unusableSuites(only13, { publicKey: ec }), undefined);
    assert.equal(uselessSuites({ ...only13, cipherSuites: [modern] }), undefined);
    assert.equal(uselessSuites(with12(forRsa)), undefined);
  });
});
