import assert from 'node:assert/strict';
import { parseCommandLine } from './command-line.ts';

function read(...args: readonly string[]) {
  const parsed = parseCommandLine(['--cloud-provider=static', ...args]);
  assert.ok(parsed.kind === 'run');
  return parsed;
}

describe('the settings of the secure port', () => {
  it('serve no port in a dry run that was not given one: the manager beside it has it', () => {
    const cases = [
      { args: [], want: 10258 },
      { args: ['--dry-run'], want: 0 },
      { args: ['--dry-run=false'], want: 10258 },
      { args: ['--dry-run', '--secure-port=10258'], want: 10258 },
    ];
    for (const { args, want } of cases) assert.equal(read(...args).settings.serving.port, want);
  });

  it('have each flag where it belongs', () => {
    const { settings, problems } = read(
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
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(settings.serving, {
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

  it('take a certificate from a directory, or make one', () => {
    const kept = read('--cert-dir=/certs').settings.serving.certificate;
    assert.deepEqual(kept, { kind: 'directory', directory: '/certs' });
    assert.deepEqual(read().settings.serving.certificate, { kind: 'self-signed' });
  });
});
