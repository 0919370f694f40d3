import assert from 'node:assert/strict';
import { anAuthority, dayMs, issue } from '../certificates/issue.fixture.ts';
import { readConfigMap, trustIn } from './cluster-authentication.ts';

const clients = anAuthority({ commonName: 'clients' });
const proxies = anAuthority({ commonName: 'proxies' });
const data = {
  'client-ca-file': clients.certPem,
  'requestheader-client-ca-file': proxies.certPem,
  'requestheader-username-headers': '["X-Remote-User"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-uid-headers': '[]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-", ""]',
  'requestheader-allowed-names': '["front-proxy-client"]',
};

describe('the authentication settings of the cluster', () => {
  it('have a pool for clients, a pool for proxies and the names of headers', () => {
    const reading = trustIn(data);
    assert.ok(reading.kind === 'trust');
    const { clients: pool, proxies: proxyTrust } = reading.trust;
    const leaf = issue({ issuer: clients }).x509;
    assert.equal(pool?.vouchesFor({ leaf, others: [] }, dayMs), true);
    assert.equal(proxyTrust?.pool.vouchesFor({ leaf, others: [] }, dayMs), false);
    const { pool: _, ...names } = proxyTrust ?? {};
    assert.deepEqual(names, {
      allowedNames: ['front-proxy-client'],
      usernameHeaders: ['X-Remote-User'],
      groupHeaders: ['X-Remote-Group'],
      uidHeaders: [],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
    });
  });

  it('may lack the clients, the proxies or both', () => {
    const reading = trustIn({ 'client-ca-file': clients.certPem });
    assert.ok(reading.kind === 'trust');
    assert.equal(reading.trust.proxies, undefined);
    assert.deepEqual(trustIn({}), {
      kind: 'trust',
      trust: { clients: undefined, proxies: undefined },
    });
  });

  it('are refused with the name of an unreadable key, without its value', () => {
    const broken: readonly [string, string][] = [
      ['client-ca-file', 'rubbish-text'],
      ['client-ca-file', clients.certPem.slice(0, -40)],
      ['requestheader-client-ca-file', `${proxies.certPem}-----BEGIN CERTIFICATE-----\nrubbish`],
      ['requestheader-username-headers', '["rubbish'],
      ['requestheader-allowed-names', '{"rubbish": 1}'],
      ['requestheader-group-headers', '[1]'],
    ];
    for (const [key, text] of broken) {
      const reading = trustIn({ ...data, [key]: text });
      assert.ok(reading.kind === 'problem', key);
      assert.match(reading.problem, new RegExp(`^${key} `));
      assert.doesNotMatch(reading.problem, /rubbish/);
    }
  });

  it('are read from the configmap without its other keys', () => {
    const metadata = { name: 'n', namespace: 'ns', uid: 'u', resourceVersion: '7' };
    const facts = readConfigMap({ metadata, data: { ...data, other: 'x', 'client-ca-file': 3 } });
    const { 'client-ca-file': _, ...rest } = data;
    assert.deepEqual(facts, { ...metadata, data: rest });
    for (const value of [null, [], {}, { metadata: {} }, { metadata: { name: 1 } }]) {
      assert.throws(() => readConfigMap(value), { name: 'DecodeError' });
    }
  });
});
