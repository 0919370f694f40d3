import assert from 'node:assert/strict';
import { type Cidr, parseCidr } from '@tandem/core/ip';
import * as fc from 'fast-check';
import type { ManagerSettings } from '../settings/index.ts';
import { parseCommandLine } from './command-line.ts';
import { knownFlags } from './flag-table.ts';
import { joinFlags } from './joined-flags.fixture.ts';

const run = (...args: readonly string[]) => joinFlags(args);

/** Returns the settings of the running controllers by name. */
const controllerSettings = ({ controllers }: Pick<ManagerSettings, 'controllers'>): unknown =>
  Object.fromEntries(controllers.map(({ facts, settings }) => [facts.name, settings]));

const settingsOf = (...args: readonly string[]) => run('--cloud-provider=static', ...args).settings;

const cidrOf = (text: string): Cidr => {
  const parsed = parseCidr(text);
  assert.ok(parsed.kind === 'cidr');
  return parsed.cidr;
};

/** Command lines from manifests and charts, without the name of the cloud. */
const manifests = [
  { name: 'only a cloud', args: '' },
  {
    name: 'flags of several components',
    args: '-v=2 --logging-format=json --configure-cloud-routes=false --concurrent-service-syncs=5 --use-service-account-credentials=false --allocate-node-cidrs=false --cluster-name=x',
  },
  {
    name: 'AWS, from its chart',
    args: '--v=2 --cloud-config=/etc/kubernetes/cloud.config --configure-cloud-routes=false',
  },
  {
    name: 'AWS, from kops',
    args: '--allocate-node-cidrs=false --cloud-config=/etc/kubernetes/in-tree-cloud.config --cluster-cidr=100.64.0.0/10 --cluster-name=minimal.example.com --concurrent-node-syncs=10 --configure-cloud-routes=false --leader-elect=true --v=2',
  },
  {
    name: 'AWS, without a controller that only its manager has',
    args: '--v=2 --controllers=*,-service,-tagging --configure-cloud-routes=false --use-service-account-credentials=true',
  },
  {
    name: 'Azure, out of tree',
    args: '--allocate-node-cidrs=false --bind-address=127.0.0.1 --cloud-config=/etc/kubernetes/azure.json --cluster-cidr=10.244.0.0/16,fd00:10:244::/48 --cluster-name=k8s --configure-cloud-routes=false --controllers=*,-cloud-node --kubeconfig=/etc/kubernetes/cloud-provider.conf --leader-elect=true --route-reconciliation-period=10s --secure-port=10268 --v=2',
  },
  {
    name: 'vSphere',
    args: '--cloud-config=/etc/cloud/vsphere.conf --v=2 --bind-address=127.0.0.1 --authorization-always-allow-paths=/metrics',
  },
  {
    name: 'hcloud, from its chart',
    args: '--allow-untagged-cloud --route-reconciliation-period=30s --webhook-secure-port=0 --leader-elect=false',
  },
  {
    name: 'OpenStack, from its chart',
    args: '--v=1 --cluster-name=kubernetes --cloud-config=/etc/kubernetes/cloud.conf --use-service-account-credentials=false --controllers=cloud-node,cloud-node-lifecycle,route,service --bind-address=127.0.0.1',
  },
  {
    name: 'GCP, with settings of an allocator that is off',
    args: '--allocate-node-cidrs=false --cidr-allocator-type=CloudAllocator --cluster-cidr=10.4.0.0/14 --node-cidr-mask-size-ipv4=24 --node-cidr-mask-size-ipv6=64 --service-cluster-ip-range=10.8.0.0/20 --controllers=* --concurrent-node-syncs=10 --kube-api-qps=100 --kube-api-burst=150 --profiling=false',
  },
  {
    name: 'hardened according to a benchmark',
    args: '--profiling=false --tls-min-version=VersionTLS12 --tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 --tls-cert-file=/pki/tls.crt --tls-private-key-file=/pki/tls.key --authentication-kubeconfig=/etc/kubernetes/ccm.conf --authorization-kubeconfig=/etc/kubernetes/ccm.conf --client-ca-file=/pki/ca.crt --requestheader-client-ca-file=/pki/front-proxy-ca.crt --requestheader-allowed-names=front-proxy-client --feature-gates=AllAlpha=false,ContextualLogging=true',
  },
  {
    name: 'separate values and underscores',
    args: '--leader_elect_lease_duration 30s --leader-elect-renew-deadline 20s --leader-elect-retry-period 5s -v 4 --logging-format text',
  },
];

describe('the command line of the manager', () => {
  for (const { name, args } of manifests) {
    it(`starts unchanged with ${name}`, () => {
      const words = args.split(' ').filter((word) => word !== '');
      assert.deepEqual(run('--cloud-provider=static', ...words).problems, []);
    });
  }

  it('has defaults that limit no requests when only the cloud is given', () => {
    const { api, election, logging, dryRun, once, ...rest } = settingsOf();
    assert.deepEqual(
      { api, controllers: controllerSettings(rest), election, logging, dryRun, once },
      {
        api: {
          kubeconfig: undefined,
          master: undefined,
          rate: undefined,
          encoding: 'protobuf',
          useControllerAccounts: false,
        },
        election: {
          isEnabled: true,
          timings: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 },
          lease: { namespace: 'kube-system', name: 'cloud-controller-manager' },
        },
        logging: { format: 'text', level: 'info' },
        controllers: {
          'cloud-node-controller': {
            workers: 16,
            refreshPeriodMs: 300_000,
            refreshLabels: false,
          },
          'cloud-node-lifecycle-controller': {
            monitorPeriodMs: 5000,
            rules: {
              graceMs: 15_000,
              minAgeMs: 60_000,
              brake: { nodes: 5, share: 0.2, windowMs: 600_000 },
            },
          },
        },
        dryRun: false,
        once: undefined,
      },
    );
  });

  it('accepts --once only in a dry run, and gives it a time limit', () => {
    const cases = [
      { args: ['--dry-run'], once: undefined, problems: [] },
      { args: ['--dry-run', '--once'], once: { limitMs: 120_000 }, problems: [] },
      {
        args: ['--dry-run', '--once', '--once-timeout=5s'],
        once: { limitMs: 5_000 },
        problems: [],
      },
      {
        args: ['--once'],
        once: { limitMs: 120_000 },
        problems: ['--once requires --dry-run: a manager that writes keeps running'],
      },
      {
        args: ['--dry-run', '--once-timeout=5s'],
        once: undefined,
        problems: ['--once-timeout requires --once'],
      },
    ];
    for (const { args, once, problems } of cases) {
      const parsed = run('--cloud-provider=static', ...args);
      assert.deepEqual([parsed.settings.once, parsed.problems], [once, problems]);
    }
  });

  it('puts the value of every flag into the settings', () => {
    const settings = settingsOf(
      '--cloud-provider=aws',
      '--cloud-config=/cloud.conf',
      '--cluster-name=blue',
      '--cluster-cidr=10.244.9.9/16,FD00:10:244::/48',
      '--kubeconfig=/kube.conf',
      '--master=https://api:6443',
      '--use-service-account-credentials=true',
      '--kube-api-qps=1',
      '--kube-api-burst=2',
      '--kube-api-content-type=application/json',
      '--leader-elect-lease-duration=30s',
      '--leader-elect-renew-deadline=20s',
      '--leader-elect-retry-period=3s',
      '--leader-elect-resource-name=name',
      '--leader-elect-resource-namespace=space',
      '--logging-format=json',
      '--concurrent-node-syncs=4',
      '--node-status-update-frequency=50s',
      '--node-monitor-period=6s',
      '--route-reconciliation-period=30s',
      '--node-deletion-grace=7s',
      '--node-deletion-min-age=8s',
      '--node-deletion-brake=9,10%,11s',
      '--dry-run',
      '--once',
      '--once-timeout=1m',
      '--secure-port=10300',
      '--refresh-labels',
      '--config=/config.yaml',
    );
    const { serving, controllers, allControllers, addressRules: _, ...rest } = settings;
    const running = allControllers.filter(({ idleBecause }) => idleBecause === undefined);
    assert.deepEqual([serving.port, controllers], [10_300, running]);
    assert.deepEqual(controllerSettings(settings), {
      'cloud-node-controller': { workers: 4, refreshPeriodMs: 50_000, refreshLabels: true },
      'cloud-node-lifecycle-controller': {
        monitorPeriodMs: 6000,
        rules: {
          graceMs: 7000,
          minAgeMs: 8000,
          brake: { nodes: 9, share: 0.1, windowMs: 11_000 },
        },
      },
      'node-route-controller': {
        isOn: true,
        clusterCIDRs: ['10.244.0.0/16', 'fd00:10:244::/48'].map(cidrOf),
        selector: undefined,
        serviceRanges: [],
        periodMs: { min: 30_000, max: 30_000 },
      },
    });
    assert.deepEqual(rest, {
      cloud: {
        provider: 'aws',
        configPath: '/cloud.conf',
        clusterName: 'blue',
        clusterCIDRs: ['10.244.0.0/16', 'fd00:10:244::/48'],
      },
      api: {
        kubeconfig: '/kube.conf',
        master: 'https://api:6443',
        rate: { perSecond: 1, burst: 2 },
        encoding: 'json',
        useControllerAccounts: true,
      },
      election: {
        isEnabled: true,
        timings: { leaseDurationMs: 30_000, renewDeadlineMs: 20_000, retryPeriodMs: 3000 },
        lease: { namespace: 'space', name: 'name' },
      },
      logging: { format: 'json', level: 'info' },
      dryRun: true,
      once: { limitMs: 60_000 },
      configFile: '/config.yaml',
      gates: { CloudNodeIPs: true },
    });
  });

  it('returns the effective value of every flag, given or default', () => {
    const { flags } = run(
      '--cloud-provider=static',
      '--controllers=*',
      '--controllers=-route',
      '-v=1',
      '-v=3',
    );
    assert.equal(flags.get('controllers'), '*,-route');
    assert.equal(flags.get('v'), '3');
    assert.equal(flags.get('secure-port'), '10258');
    assert.equal(flags.get('kubeconfig'), '');
  });

  const levels = [
    ['0', 'info'],
    ['1', 'info'],
    ['3', 'info'],
    ['4', 'debug'],
    ['5', 'debug'],
    ['6', 'trace'],
    ['10', 'trace'],
  ] as const;
  for (const [v, level] of levels) {
    it(`logs at ${level} with -v=${v}`, () => {
      assert.equal(settingsOf(`-v=${v}`).logging.level, level);
    });
  }

  const rates = [
    { args: ['--kube-api-qps=20'], want: { perSecond: 20, burst: 30 } },
    { args: ['--kube-api-qps=0.5', '--kube-api-burst=1'], want: { perSecond: 0.5, burst: 1 } },
    { args: ['--kube-api-qps=-1'], want: undefined },
    { args: ['--kube-api-burst=100'], want: undefined },
  ];
  for (const { args, want } of rates) {
    it(`limits requests according to ${args.join(' ')}`, () => {
      assert.deepEqual(settingsOf(...args).api.rate, want);
    });
  }

  it('notes that --kube-api-burst alone limits nothing', () => {
    const { notes } = run('--cloud-provider=static', '--kube-api-burst=100');
    assert.ok(notes.some(({ fields }) => fields['flag'] === '--kube-api-burst'));
  });

  const refusals = [
    { args: [], want: /--cloud-provider is required: .*\baws\b.*\bazure\b.*\bstatic\b/ },
    { args: ['--cloud-provider='], want: /--cloud-provider is required/ },
    { args: ['--cloud-provider=external'], want: /is a kubelet setting. Name the cloud here/ },
    { args: ['--concurrent-node-syncs=0'], want: /"0" is out of range: use 1 to/ },
    { args: ['--concurrent-node-syncs=-1'], want: /"-1" is out of range/ },
    { args: ['--kube-api-qps=0'], want: /would block every request/ },
    { args: ['--kube-api-burst=0'], want: /out of range/ },
    { args: ['--kube-api-content-type=application/cbor'], want: /is not one of application\/vnd/ },
    { args: ['--leader-elect-renew-deadline=15s'], want: /must be longer than the renew deadline/ },
    { args: ['--leader-elect-retry-period=9s'], want: /longer than 1.2 times the retry period/ },
    { args: ['--leader-elect-lease-duration=0s'], want: /must be more than 0 s/ },
    { args: ['--leader-elect-resource-lock=endpoints'], want: /the lock is always a Lease/ },
    {
      args: ['--allocate-node-cidrs'],
      want: /there is no range to allocate from\. Pass --cluster-cidr/,
    },
    { args: ['--enable-leader-migration'], want: /Tandem has no second Lease/ },
    { args: ['--webhooks=*'], want: /serves no webhooks/ },
    { args: ['--tls-cert-file=a'], want: /--tls-cert-file requires --tls-private-key-file/ },
    { args: ['--tls-private-key-file=a'], want: /--tls-private-key-file requires --tls-cert-file/ },
    {
      args: ['--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA'],
      want: /not a supported cipher suite/,
    },
    { args: ['--tls-curve-preferences=1'], want: /not a supported curve/ },
    { args: ['--feature-gates=CloudNodeIP=true'], want: /did you mean CloudNodeIPs/ },
    { args: ['--node-monitor-period=0s'], want: /the minimum is 1s/ },
    { args: ['--logging-format=xml'], want: /is not one of text, json/ },
  ];
  for (const { args, want } of refusals) {
    it(`refuses ${args.join(' ') || 'an empty command line'}`, () => {
      const needs = args.some((word) => word.startsWith('--cloud-provider')) || args.length === 0;
      const { problems } = run(...(needs ? [] : ['--cloud-provider=static']), ...args);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', want);
    });
  }

  it('reports all mistakes at once', () => {
    const { problems } = run(
      '--kubconfig=x',
      'stray',
      '--concurrent-node-syncs=0',
      '--webhooks=a',
      '--controllers=nodes',
      '--feature-gates=Nope=true',
      '--leader-elect-renew-deadline=20s',
      '--tls-cert-file=a',
    );
    assert.equal(problems.length, 9, problems.join('\n'));
  });

  it('does not check the timings when leader election is off', () => {
    const off = ['--leader-elect=false', '--leader-elect-lease-duration=1s'];
    assert.deepEqual(run('--cloud-provider=static', ...off).problems, []);
  });

  it('shows help and the version despite mistakes', () => {
    assert.equal(parseCommandLine(['--nonsense', '-h']).kind, 'help');
    assert.equal(parseCommandLine(['--version']).kind, 'version');
    assert.equal(parseCommandLine(['--version=raw', 'x']).kind, 'version');
    assert.equal(parseCommandLine(['--help=false']).kind, 'run');
  });

  it('never throws, whatever the arguments are', () => {
    const name = fc.constantFrom(...knownFlags.map((flag) => flag.name));
    const word = fc.oneof(
      fc.string(),
      name.map((flag) => `--${flag}`),
      fc.tuple(name, fc.string()).map(([flag, text]) => `--${flag}=${text}`),
      fc
        .tuple(name, fc.constantFrom('0', '-1', 'true', ',', '1s', 'a=b', '*'))
        .map((pair) => `--${pair.join('=')}`),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (args) => {
        const parsed = parseCommandLine(args);
        assert.ok(['run', 'help', 'version'].includes(parsed.kind));
      }),
    );
  });
});
