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

describe('a warning about cipher suites', () => {
  const cases: { name: string; suites: string[]; publicKey: KeyObject; want?: RegExp }[] = [
    {
      name: 'suites for RSA with an EC key',
      suites: [forRsa],
      publicKey: ec,
      want: /with ECDSA in/,
    },
    { name: 'suites for EC with an RSA key', suites: [forEc], publicKey: rsa, want: /with RSA in/ },
    { name: 'suites of which one fits the key', suites: [forRsa, forEc], publicKey: ec },
    {
      name: 'static RSA with an RSA key',
      suites: ['TLS_RSA_WITH_AES_128_CBC_SHA'],
      publicKey: rsa,
    },
    { name: 'the default suites', suites: [], publicKey: ec },
    { name: 'suites of TLS 1.3 only', suites: [modern], publicKey: ec },
  ];
  for (const { name, suites, publicKey, want } of cases) {
    it(`is ${want === undefined ? 'not ' : ''}given for ${name}`, () => {
      const warning = unusableSuites(with12(...suites), { publicKey });
      if (want === undefined) assert.equal(warning, undefined);
      else assert.match(warning ?? '', want);
    });
  }

  it('is given for suites of TLS 1.2 when only TLS 1.3 is served', () => {
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
