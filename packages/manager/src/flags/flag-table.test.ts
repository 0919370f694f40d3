/** Tests for every declared flag that it is honoured, accepted or refused as its declaration says. */
import assert from 'node:assert/strict';
import { joinFlags } from './joined-flags.fixture.ts';
import { flagGroups, knownFlags } from './flag-table.ts';

const flags = flagGroups.flatMap((group) => group.flags);

const run = (...args: readonly string[]) => joinFlags(['--cloud-provider=static', ...args]);

/** The names in the help of cloud-controller-manager 1.36, including hidden ones. */
const upstreamNames = `
  allocate-node-cidrs allow-untagged-cloud authentication-kubeconfig authentication-skip-lookup
  authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure
  authorization-always-allow-paths authorization-kubeconfig
  authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
  bind-address cert-dir cidr-allocator-type client-ca-file cloud-config cloud-provider cluster-cidr
  cluster-name concurrent-node-status-updates concurrent-node-syncs concurrent-service-syncs
  configure-cloud-routes contention-profiling controller-start-interval controllers
  disable-http2-serving enable-leader-migration external-cloud-volume-plugin feature-gates help
  http2-max-streams-per-connection kube-api-burst kube-api-content-type kube-api-qps kubeconfig
  leader-elect leader-elect-lease-duration leader-elect-renew-deadline leader-elect-resource-lock
  leader-elect-resource-name leader-elect-resource-namespace leader-elect-retry-period
  leader-migration-config log-flush-frequency log-json-info-buffer-size log-json-split-stream
  log-text-info-buffer-size log-text-split-stream logging-format master min-resync-period
  node-monitor-period node-status-update-frequency node-sync-period permit-address-sharing
  permit-port-sharing profiling requestheader-allowed-names requestheader-client-ca-file
  requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
  requestheader-username-headers route-reconciliation-period secure-port tls-cert-file
  tls-cipher-suites tls-curve-preferences tls-min-version tls-private-key-file tls-sni-cert-key
  use-service-account-credentials v version vmodule webhook-bind-address webhook-cert-dir
  webhook-disable-http2-serving webhook-secure-port webhook-tls-cert-file
  webhook-tls-cipher-suites webhook-tls-curve-preferences webhook-tls-min-version
  webhook-tls-private-key-file webhook-tls-sni-cert-key webhooks
`
  .trim()
  .split(/\s+/);

/** The flags of cloud vendors' managers, which are built from upstream's, and our own. */
const furtherNames = [
  'concurrent-node-lifecycle-syncs',
  'node-cidr-mask-size',
  'node-cidr-mask-size-ipv4',
  'node-cidr-mask-size-ipv6',
  'service-cluster-ip-range',
  'config',
  'dry-run',
  'once',
  'once-timeout',
  'refresh-labels',
  'node-deletion-grace',
  'node-deletion-min-age',
  'node-deletion-brake',
];

/** For every honoured flag, a value that must change the settings, and the other flags that it needs. */
const samples: Readonly<Record<string, readonly [string, ...string[]]>> = {
  config: ['/etc/tandem.yaml'],
  'dry-run': ['true'],
  once: ['true', '--dry-run'],
  'once-timeout': ['1m', '--once', '--dry-run'],
  'refresh-labels': ['true'],
  'node-deletion-grace': ['20s'],
  'node-deletion-min-age': ['2m'],
  'node-deletion-brake': ['off'],
  'cloud-provider': ['aws'],
  'cloud-config': ['/etc/cloud.yaml'],
  'cluster-name': ['blue'],
  'cluster-cidr': ['10.244.0.0/16'],
  'configure-cloud-routes': ['false', '--cluster-cidr=10.244.0.0/16'],
  'route-reconciliation-period': ['30s', '--cluster-cidr=10.244.0.0/16'],
  'allocate-node-cidrs': ['true', '--cluster-cidr=10.244.0.0/16'],
  'cidr-allocator-type': [
    'CloudAllocator',
    '--allocate-node-cidrs',
    '--cluster-cidr=10.244.0.0/16',
  ],
  'node-cidr-mask-size': ['25', '--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/16'],
  'node-cidr-mask-size-ipv4': ['25', '--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/16'],
  'node-cidr-mask-size-ipv6': ['80', '--allocate-node-cidrs', '--cluster-cidr=fd00::/48'],
  'service-cluster-ip-range': [
    '10.96.0.0/12',
    '--allocate-node-cidrs',
    '--cluster-cidr=10.244.0.0/16',
  ],
  controllers: ['cloud-node'],
  'feature-gates': ['CloudNodeIPs=false'],
  'kube-api-qps': ['20'],
  'kube-api-burst': ['31', '--kube-api-qps=20'],
  'kube-api-content-type': ['application/json'],
  'node-monitor-period': ['6s'],
  'use-service-account-credentials': ['true'],
  'leader-elect': ['false'],
  'leader-elect-lease-duration': ['16s'],
  'leader-elect-renew-deadline': ['9s'],
  'leader-elect-retry-period': ['1s'],
  'leader-elect-resource-name': ['other'],
  'leader-elect-resource-namespace': ['other'],
  kubeconfig: ['/etc/kubernetes/manager.conf'],
  master: ['https://api:6443'],
  'node-status-update-frequency': ['1m'],
  'concurrent-node-syncs': ['1'],
  'bind-address': ['127.0.0.1'],
  'secure-port': ['0'],
  'cert-dir': ['/var/run/certs'],
  'tls-cert-file': ['other.crt', '--tls-private-key-file=tls.key'],
  'tls-private-key-file': ['other.key', '--tls-cert-file=tls.crt'],
  'tls-sni-cert-key': ['a,b'],
  'tls-cipher-suites': ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
  'tls-curve-preferences': ['29'],
  'tls-min-version': ['VersionTLS13'],
  'permit-port-sharing': ['true'],
  'authentication-kubeconfig': ['/a'],
  'authentication-skip-lookup': ['true'],
  'authentication-tolerate-lookup-failure': ['true'],
  'authentication-token-webhook-cache-ttl': ['1s'],
  'client-ca-file': ['/ca'],
  'requestheader-client-ca-file': ['/ca'],
  'requestheader-allowed-names': ['front-proxy'],
  'requestheader-username-headers': ['x-user'],
  'requestheader-group-headers': ['x-group'],
  'requestheader-uid-headers': ['x-uid'],
  'requestheader-extra-headers-prefix': ['x-extra-'],
  'authorization-kubeconfig': ['/a'],
  'authorization-always-allow-paths': ['/metrics'],
  'authorization-webhook-cache-authorized-ttl': ['1s'],
  'authorization-webhook-cache-unauthorized-ttl': ['1s'],
  profiling: ['false'],
  'logging-format': ['json'],
  v: ['4'],
};

/** A valid value for each type without a default to try. */
const plainValues: Readonly<Record<string, string>> = {
  bool: 'true',
  cidrs: '10.0.0.0/8',
  ciphers: 'TLS_AES_128_GCM_SHA256',
  'cert,key[:names]': 'a,b',
  numbers: '29',
  duration: '7s',
  int: '7',
  quantity: '1Ki',
};

describe('the declared flags', () => {
  it('are those of upstream 1.36, of other managers and our own, each once', () => {
    const names = flags.map(({ name }) => name).toSorted();
    assert.deepEqual(names, [...upstreamNames, ...furtherNames].toSorted());
    assert.equal(new Set(knownFlags.map(({ name }) => name)).size, knownFlags.length);
  });

  it('have help that ends as a sentence, and defaults that can be read', () => {
    for (const { name, help, byDefault, type } of flags) {
      assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      assert.match(help, /^[A-Z][ -~]*\.$/, name);
      if (byDefault !== undefined) assert.equal(type.read([byDefault]).kind, 'value', name);
    }
  });

  for (const flag of flags.filter(({ support }) => support === undefined)) {
    const { name } = flag;
    if (name === 'help' || name === 'version') continue;
    it(`--${name} is honoured: another value changes the settings, and the default does not`, () => {
      const sample = samples[name];
      assert.ok(sample !== undefined, `add a sample for --${name}`);
      const [value, ...beside] = sample;
      const changed = run(`--${name}=${value}`, ...beside);
      assert.deepEqual(changed.problems, []);
      assert.notDeepEqual(changed.settings, run(...beside).settings);
      assert.deepEqual(
        changed.notes.filter(({ fields }) => fields['flag'] === `--${name}`),
        [],
      );
      if (flag.byDefault !== undefined) {
        const same = run(`--${name}=${flag.byDefault}`, ...beside);
        assert.deepEqual(same.settings, run(...beside).settings);
      }
    });
  }

  for (const { name, type, byDefault, support } of flags) {
    if (support?.kind !== 'accepted') continue;
    it(`--${name} is accepted without effect, and a note says why if it is given`, () => {
      const value = plainValues[type.word] ?? byDefault ?? 'x';
      const other = support.agreesWith === value ? 'false' : value;
      const given = run(`--${name}=${other}`);
      assert.deepEqual(given.problems, []);
      const lines = given.notes.filter(({ fields }) => fields['flag'] === `--${name}`);
      assert.deepEqual(
        lines.map(({ fields }) => fields['reason']),
        [support.because],
      );
      assert.doesNotMatch(JSON.stringify(run().notes), new RegExp(`"--${name}"`));
      assert.deepEqual(given.settings, run().settings);
      if (support.agreesWith === undefined) return;
      assert.doesNotMatch(JSON.stringify(run(`--${name}=${support.agreesWith}`).notes), /"flag"/);
    });
  }

  for (const { name, type, support } of knownFlags) {
    if (support?.kind !== 'refused') continue;
    it(`--${name} is refused with advice`, () => {
      const { problems } = run(`--${name}=${plainValues[type.word] ?? 'x'}`);
      assert.deepEqual(problems, [`--${name} is not supported: ${support.instead}`]);
      if (support.agreesWith === undefined) return;
      const agreed = run(`--${name}=${support.agreesWith}`);
      assert.deepEqual([agreed.problems, agreed.settings], [[], run().settings]);
    });
  }

  it('that upstream has removed are refused with their name even without a value', () => {
    assert.match(run('--logtostderr').problems.join(), /--logtostderr is not supported: upstream/);
  });
});
