import assert from 'node:assert/strict';
import { GivenFlags } from '@tandem/cli/flags';
import { readServing, secureServingFlags, servingFlags } from './index.ts';

const flags = servingFlags.flatMap((group) => group.flags);

function read(args: readonly string[], { isDryRun = false } = {}) {
  const given = new GivenFlags(args, flags);
  const problems = given.problems();
  return { settings: readServing(given, { isDryRun, problems }), problems };
}

describe('the settings of the secure port', () => {
  it('open no port in a dry run without --secure-port, because the running manager has the default port', () => {
    const cases = [
      { args: [], isDryRun: false, want: 10258 },
      { args: [], isDryRun: true, want: 0 },
      { args: ['--secure-port=10258'], isDryRun: true, want: 10258 },
    ];
    for (const { args, isDryRun, want } of cases) {
      assert.equal(read(args, { isDryRun }).settings.port, want);
    }
  });

  it('have the value of every flag', () => {
    const { settings, problems } = read([
      '--bind-address=::1',
      '--secure-port=8443',
      '--permit-port-sharing',
      '--tls-cert-file=/tls.crt',
      '--tls-private-key-file=/tls.key',
      '--cert-dir=/unused',
      '--tls-sni-cert-key=/a.crt,/a.key:a.example.com',
      '--tls-cipher-suites=TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
      '--tls-curve-preferences=29,23',
      '--tls-min-version=VersionTLS13',
      '--authentication-kubeconfig=/authn.conf',
      '--authentication-skip-lookup',
      '--authentication-tolerate-lookup-failure',
      '--authentication-token-webhook-cache-ttl=1s',
      '--client-ca-file=/client-ca.crt',
      '--requestheader-client-ca-file=/proxy-ca.crt',
      '--requestheader-allowed-names=front,back',
      '--requestheader-username-headers=x-user',
      '--requestheader-group-headers=x-group',
      '--requestheader-uid-headers=x-uid',
      '--requestheader-extra-headers-prefix=x-extra-',
      '--authorization-kubeconfig=/authz.conf',
      '--authorization-always-allow-paths=/livez,/metrics*',
      '--authorization-webhook-cache-authorized-ttl=2s',
      '--authorization-webhook-cache-unauthorized-ttl=3s',
      '--profiling=false',
    ]);
    assert.deepEqual(problems, []);
    assert.deepEqual(settings, {
      bindAddress: '::1',
      port: 8443,
      permitPortSharing: true,
      certificate: { kind: 'files', certFile: '/tls.crt', keyFile: '/tls.key' },
      sniCertificates: [{ certFile: '/a.crt', keyFile: '/a.key', names: ['a.example.com'] }],
      tls: {
        cipherSuites: ['TLS_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
        curvePreferences: [29, 23],
        minVersion: 'VersionTLS13',
      },
      authentication: {
        kubeconfig: '/authn.conf',
        skipLookup: true,
        tolerateLookupFailure: true,
        tokenCacheTtlMs: 1000,
        clientCaFile: '/client-ca.crt',
        requestHeader: {
          clientCaFile: '/proxy-ca.crt',
          allowedNames: ['front', 'back'],
          usernameHeaders: ['x-user'],
          groupHeaders: ['x-group'],
          uidHeaders: ['x-uid'],
          extraHeaderPrefixes: ['x-extra-'],
        },
      },
      authorization: {
        kubeconfig: '/authz.conf',
        alwaysAllowPaths: ['/livez', '/metrics*'],
        allowTtlMs: 2000,
        denyTtlMs: 3000,
      },
      profiling: false,
    });
  });

  it('read the certificate from a directory, or create a self-signed one', () => {
    const kept = read(['--cert-dir=/certs']).settings.certificate;
    assert.deepEqual(kept, { kind: 'directory', directory: '/certs' });
    assert.deepEqual(read([]).settings.certificate, { kind: 'self-signed' });
  });

  it('refuse unsupported suites, curves, versions and paths', () => {
    const cases = [
      ['--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA', /^--tls-cipher-suites: "TLS_RSA_WITH_RC4/],
      ['--tls-curve-preferences=1', /^--tls-curve-preferences: 1 is not a supported curve/],
      ['--tls-min-version=VersionTLS10', /^--tls-min-version "VersionTLS10" is insecure/],
      ['--authorization-always-allow-paths=/a*b', /^--authorization-always-allow-paths "\/a\*b"/],
    ] as const;
    for (const [flag, want] of cases) {
      const { problems } = read([flag]);
      assert.equal(problems.length, 1, flag);
      assert.match(problems[0] ?? '', want);
    }
  });

  it('refuse a certificate without a key, and a key without a certificate', () => {
    const cases = [
      ['--tls-cert-file=a', '--tls-cert-file requires --tls-private-key-file'],
      ['--tls-private-key-file=a', '--tls-private-key-file requires --tls-cert-file'],
    ] as const;
    for (const [flag, want] of cases) assert.deepEqual(read([flag]).problems, [want]);
  });
});

const values = [
  { flag: 'tls-cipher-suites', texts: ['ECDHE-RSA-AES128-SHA'], want: /not a cipher suite name/ },
  { flag: 'tls-curve-preferences', texts: ['X25519'], want: /not a curve number/ },
  { flag: 'tls-curve-preferences', texts: ['29,23'], want: [29, 23] },
  { flag: 'tls-min-version', texts: [''], want: 'VersionTLS12' },
  { flag: 'tls-min-version', texts: ['VersionTLS11'], want: /insecure and not supported/ },
  { flag: 'tls-min-version', texts: ['TLS12'], want: /neither VersionTLS12 nor VersionTLS13/ },
  { flag: 'tls-sni-cert-key', texts: ['cert'], want: /not a pair of files/ },
  { flag: 'tls-sni-cert-key', texts: ['a,b,c'], want: /not a pair of files/ },
  { flag: 'tls-sni-cert-key', texts: ['a,b:'], want: /empty name/ },
  {
    flag: 'tls-sni-cert-key',
    texts: ['a,b', 'c, d:x, *.y'],
    want: [
      { certFile: 'a', keyFile: 'b', names: [] },
      { certFile: 'c', keyFile: 'd', names: ['x', '*.y'] },
    ],
  },
];

describe('the TLS flags', () => {
  for (const { flag, texts, want } of values) {
    const what = want instanceof RegExp ? 'refuse' : 'accept';
    it(`${what} ${JSON.stringify(texts)} as --${flag}`, () => {
      const type = secureServingFlags.flags.find(({ name }) => name === flag)?.type;
      const result = type?.read(texts);
      if (want instanceof RegExp) {
        assert.ok(result?.kind === 'invalid', 'it was accepted');
        assert.match(result.reason, want);
      } else {
        assert.deepEqual(result, { kind: 'value', value: want });
      }
    });
  }
});
