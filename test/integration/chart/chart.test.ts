/** The chart, rendered by helm itself: it equals what is committed, and refuses values that make no sense. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleConfiguration, parseConfiguration } from '@tandem/manager/config';
import { parseCommandLine } from '@tandem/manager/flags';
import { parse } from 'yaml';
import { chartPath, renderedManifests, renderManifest } from '../../../tools/chart/rendered.ts';
import { type KubeObject, root, useHelm } from './helm.ts';

/** The pod of a rendered Deployment; its fields are what a test asserts. */
function podOf(objects: readonly KubeObject[]) {
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  return Reflect.get(Object(deployment?.['spec']), 'template').spec;
}

const rulesOf = (objects: readonly KubeObject[], name: string): unknown[] | undefined => {
  const role = objects.find(
    ({ kind, metadata }) => kind.endsWith('Role') && metadata.name === name,
  );
  return role?.['rules'] as unknown[] | undefined;
};

describe('the chart', function () {
  this.timeout(60_000);
  const { helm, render } = useHelm();

  for (const manifest of renderedManifests) {
    it(`gives what ${manifest.path} has (npm run manifests)`, async () => {
      const rendered = await renderManifest(helm(), manifest, { root });
      assert.equal(await readFile(join(root, manifest.path), 'utf8'), rendered);
    });
  }

  it('passes helm lint --strict', async () => {
    const chart = join(root, chartPath);
    const preset = join(chart, 'presets/static.yaml');
    const given = ['--namespace', 'kube-system', '--values', preset];
    const said = await helm().run('lint', '--strict', chart, ...given);
    assert.match(said, /1 chart\(s\) linted, 0 chart\(s\) failed/);
  });

  const digest = `sha256:${'0'.repeat(64)}`;
  const images = [
    {
      image: { registry: 'registry.test:5000', tag: '1.2.0' },
      want: 'registry.test:5000/PATH:1.2.0',
    },
    { image: { registry: 'ghcr.io/owner', tag: '1.2.0' }, want: 'ghcr.io/owner/PATH:1.2.0' },
    { image: { registry: 'registry.test', digest }, want: `registry.test/PATH@${digest}` },
  ];
  for (const { image, want } of images) {
    it(`names the image ${want.slice(0, 40)} for ${JSON.stringify(image).slice(0, 60)}`, async () => {
      const [container] = podOf(await render({ image })).containers;
      assert.equal(container.image, want.replace('PATH', 'tandem/cloud-controller-manager'));
    });
  }

  it('runs one manager on each control-plane node as a DaemonSet, and changes nothing else in its pod', async () => {
    const given = { kind: 'DaemonSet', controlPlaneNodes: 'required' };
    const objects = await render(given);
    const kinds = new Set(objects.map(({ kind }) => kind));
    assert.ok(!kinds.has('Deployment') && !kinds.has('PodDisruptionBudget'));
    const daemonSet = objects.find(({ kind }) => kind === 'DaemonSet');
    const { template, selector, updateStrategy, ...more } = Object(daemonSet?.['spec']);
    assert.deepEqual(more, {});
    assert.deepEqual(updateStrategy.rollingUpdate, { maxSurge: 0, maxUnavailable: 1 });
    assert.deepEqual(Object.keys(template.spec.affinity), ['nodeAffinity']);
    assert.ok(selector.matchLabels);
    const usual = podOf(await render({ controlPlaneNodes: 'required' }));
    const { topologySpreadConstraints: _, affinity, ...rest } = usual;
    const { nodeAffinity } = affinity;
    assert.deepEqual(template.spec, { ...rest, affinity: { nodeAffinity } });
    const nodeSelector = { 'node-role.kubernetes.io/control-plane': '' };
    const selected = await render({ kind: 'DaemonSet', nodeSelector });
    const selectedPod = Object(selected.find(({ kind }) => kind === 'DaemonSet')?.['spec']);
    assert.equal(selectedPod.template.spec.affinity, undefined);
  });

  it('starts the manager with the flags of args, whatever their kinds', async () => {
    const args = {
      'allocate-node-cidrs': true,
      'cluster-cidr': ['10.244.0.0/16', 'fd00:10:244::/48'],
      'kube-api-qps': 1_000_000,
      'node-monitor-period': '1m30s',
      'node-deletion-brake': '9,10%,11s',
      'feature-gates': 'CloudNodeIPs=true',
    };
    const [container] = podOf(await render({ args })).containers;
    const parsed = parseCommandLine(container.args);
    assert.ok(parsed.kind === 'run');
    assert.deepEqual(parsed.problems, []);
    for (const [name, value] of Object.entries(args)) {
      assert.equal(parsed.flags.get(name), String(value), name);
    }
  });

  it('gives --config a file that the manager can read', async () => {
    const { apiVersion: _, kind: _kind, ...configuration } = parse(exampleConfiguration);
    const objects = await render({ configuration });
    const file = objects.find(({ metadata }) => metadata.name.endsWith('-config'));
    const text = Reflect.get(Object(file?.['data']), 'config.yaml');
    const gates = { CloudNodeIPs: true };
    assert.deepEqual(parseConfiguration(text, { path: 'config.yaml', gates }).problems, []);
    assert.deepEqual(parse(text), parse(exampleConfiguration));
    const { containers, volumes } = podOf(objects);
    const [{ args, volumeMounts }] = containers;
    assert.ok(args.includes('--config=/etc/tandem/config/config.yaml'));
    assert.ok(
      volumeMounts.some(
        ({ mountPath }: { mountPath: string }) => mountPath === '/etc/tandem/config',
      ),
    );
    assert.ok(JSON.stringify(volumes).includes(`"name":"${file?.metadata.name}"`));
  });

  it('keeps a file with a secret in it in a Secret', async () => {
    const content = '{"aadClientSecret": "x"}';
    const objects = await render({ cloudConfig: { content, name: '' } }, 'azure');
    const secret = objects.find(({ kind }) => kind === 'Secret');
    assert.deepEqual(secret?.['stringData'], { 'azure.json': content });
    const { volumes } = podOf(objects);
    assert.equal(volumes[0].secret.secretName, secret?.metadata.name);
  });

  it('gives a controller that is off no permissions', async () => {
    const off = { 'cloud-node-lifecycle-controller': false, 'node-route-controller': false };
    const one = await render({ controllers: off });
    assert.ok(!JSON.stringify(rulesOf(one, 'tandem:cloud-controller-manager')).includes('delete'));
    const [container] = podOf(one).containers;
    const parsed = parseCommandLine(container.args);
    assert.ok(parsed.kind === 'run');
    assert.equal(parsed.flags.get('controllers'), 'cloud-node-controller,node-ipam-controller');

    const accounts = await render({ controllers: off, controllerAccounts: true });
    const names = accounts.map(({ metadata }) => metadata.name);
    assert.ok(!names.some((name) => name.includes('route-controller')), names.join(', '));
    assert.deepEqual(rulesOf(accounts, 'tandem:cloud-controller-manager:controller-account'), [
      {
        apiGroups: [''],
        resources: ['serviceaccounts/token'],
        resourceNames: ['node-controller'],
        verbs: ['create'],
      },
    ]);
  });

  it('binds viewers to all roles that kubectl nodeip needs, and nobody without them', async () => {
    const isViewer = ({ metadata }: KubeObject): boolean => metadata.name.endsWith(':viewer');
    const isBinding = ({ kind }: KubeObject): boolean => kind.endsWith('Binding');
    const unbound = (await render()).filter(isViewer);
    assert.deepEqual(unbound.filter(isBinding), []);

    const viewers = [
      { kind: 'ServiceAccount', name: 'audit', namespace: '1234' },
      { kind: 'User', name: 'jane' },
      { kind: 'Group', name: 'platform-team' },
    ];
    const objects = (await render({ viewers })).filter(isViewer);
    const placeOf = ({ kind, metadata }: KubeObject): string =>
      `${kind.replace('Binding', '')} ${metadata.name} in ${metadata.namespace}`;
    const bindings = objects.filter(isBinding);
    assert.deepEqual(bindings.map(placeOf).toSorted(), unbound.map(placeOf).toSorted());
    const apiGroup = 'rbac.authorization.k8s.io';
    for (const { kind, metadata, roleRef, subjects } of bindings) {
      const { name } = metadata;
      assert.deepEqual(roleRef, { apiGroup, kind: kind.replace('Binding', ''), name });
      const [account, ...people] = viewers;
      assert.deepEqual(subjects, [account, ...people.map((each) => ({ ...each, apiGroup }))]);
    }
  });

  it('lets env override a memory setting, and names no variable twice', async () => {
    const env = [{ name: 'NODE_OPTIONS', value: '--max-semi-space-size=16' }];
    const [container] = podOf(await render({ env })).containers;
    assert.deepEqual(container.env, [{ name: 'MALLOC_ARENA_MAX', value: '1' }, ...env]);
  });

  it('has other names and another port beside a manager that runs, and the same Lease', async () => {
    const objects = await render({
      name: 'tandem',
      serviceAccount: { name: 'tandem' },
      port: 10_358,
      configuration: { excludeCIDRs: [{ cidr: '192.0.2.0/24' }] },
      cloudConfig: { content: 'instances: []', name: '' },
      podMonitor: { enabled: true },
      alerts: { enabled: true },
      dashboard: { enabled: true },
    });
    const isRole = ({ kind }: KubeObject): boolean => kind.includes('Role');
    const others = objects.filter((object) => !isRole(object)).map((each) => each.metadata.name);
    assert.ok(others.length > 8);
    assert.deepEqual(
      others.filter((name) => !/^tandem(?:-|$)/.test(name)),
      [],
    );
    const bound = objects.filter(isRole).flatMap((each) => each['subjects'] ?? []);
    const subjects = new Set(bound.map((subject) => Reflect.get(Object(subject), 'name')));
    assert.deepEqual(subjects, new Set(['tandem', 'tandem-scraper']));
    const { serviceAccountName, containers, volumes } = podOf(objects);
    assert.equal(serviceAccountName, 'tandem');
    const parsed = parseCommandLine(containers[0].args);
    assert.ok(parsed.kind === 'run');
    assert.equal(parsed.settings.election.lease.name, 'cloud-controller-manager');
    assert.equal(parsed.settings.serving.port, 10_358);
    assert.equal(containers[0].ports[0].containerPort, 10_358);
    const configMaps = objects
      .filter(({ kind }) => kind === 'ConfigMap')
      .map((each) => each.metadata.name);
    for (const volume of volumes)
      assert.ok(configMaps.includes(volume.configMap.name), volume.name);
  });

  it('uses the network of the host only where it is wanted', async () => {
    assert.equal(podOf(await render({ hostNetwork: false })).hostNetwork, undefined);
    assert.equal(podOf(await render({ hostNetwork: true })).hostNetwork, true);
  });

  it('takes an affinity in place of its own', async () => {
    const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'x' } } };
    const own = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const affinity = { podAffinity: own, podAntiAffinity: own, nodeAffinity: {} };
    assert.deepEqual(podOf(await render({ affinity })).affinity, affinity);
  });

  it('links alerts to the docs that you publish', async () => {
    const docsURL = 'https://docs.example.com/tandem/';
    const objects = await render({ alerts: { enabled: true }, docsURL });
    const rule = JSON.stringify(objects.find(({ kind }) => kind === 'PrometheusRule'));
    const link = 'https://docs.example.com/tandem/docs/guides/alerts.md#tandemabsent';
    assert.ok(rule.includes(`"runbook_url":"${link}"`));
    assert.ok(!rule.includes('.invalid'));
    // Templates of Prometheus come through unchanged.
    assert.ok(rule.includes('{{ $labels.reason }}'));
  });

  it('gives the dashboard as Grafana reads it', async () => {
    const objects = await render({ dashboard: { enabled: true } });
    const file = objects.find(({ metadata }) => metadata.name.endsWith('-dashboard'));
    const text = Reflect.get(Object(file?.['data']), 'tandem.json');
    const source = await readFile(join(root, 'manifests/dashboards/tandem.json'), 'utf8');
    assert.deepEqual(JSON.parse(text), JSON.parse(source));
  });

  const refusals: readonly (readonly [values: object, want: RegExp])[] = [
    [{ imge: {} }, /additional properties 'imge' not allowed/],
    [{ args: { 'cluster-cdir': 'x' } }, /at '\/args': .*'cluster-cdir' not allowed/],
    [{ args: { 'leader-elect': false } }, /at '\/args': .*'leader-elect' not allowed/],
    [{ args: { 'node-monitor-period': 5 } }, /node-monitor-period': got number, want string/],
    [{ args: { 'node-monitor-period': '5' } }, /node-monitor-period': '5' does not match/],
    [{ args: { 'allocate-node-cidrs': 'yes' } }, /got string, want boolean/],
    [{ args: { 'cluster-cidr': 'foo' } }, /at '\/args\/cluster-cidr': 'foo' does not match/],
    [
      { args: { 'cluster-cidr': ['10.244.0.0/16', 'foo'] } },
      /at '\/args\/cluster-cidr\/1': 'foo' does not match/,
    ],
    [
      { args: { 'cluster-cidr': '10.244.0.0/33' } },
      /at '\/args\/cluster-cidr': '10\.244\.0\.0\/33' does not match/,
    ],
    [
      { args: { 'cluster-cidr': ['10.244.0.0/16', 'fd00:10:244::/129'] } },
      /at '\/args\/cluster-cidr\/1': 'fd00:10:244::\/129' does not match/,
    ],
    [
      { args: { 'allocate-node-cidrs': true } },
      /needs ranges to allocate from\. Set args\.cluster-cidr or configuration\.podCIDRPools/,
    ],
    [
      { args: { 'bind-address': 'localhost' } },
      /at '\/args\/bind-address': 'localhost' does not match/,
    ],
    [{ affinity: { foo: 1 } }, /at '\/affinity': .*'foo' not allowed/],
    [{ affinity: { nodeAffinity: [] } }, /got array, want object/],
    [{ replicas: 0 }, /at '\/replicas': minimum: got 0, want 1/],
    [{ replicas: '2' }, /at '\/replicas': got string, want integer/],
    [{ port: 70_000 }, /at '\/port': maximum: got 70,?000, want 65,?535/],
    [{ kind: 'DaemonSet' }, /would run a manager on every node/],
    [{ kind: 'DaemonSet', affinity: { podAntiAffinity: {} } }, /would run a manager on every node/],
    [{ kind: 'StatefulSet' }, /at '\/kind'/],
    [{ controlPlaneNodes: 'maybe' }, /must be one of 'preferred', 'required', 'ignored'/],
    [{ controllers: { route: false } }, /at '\/controllers': .*'route' not allowed/],
    [{ image: { registry: 'https://x' } }, /at '\/image\/registry': .* does not match/],
    [{ image: { registry: 'ghcr.io/owner/' } }, /at '\/image\/registry': .* does not match/],
    [{ image: { digest: 'sha256:12' } }, /at '\/image\/digest': .* does not match/],
    [{ image: { tag: '1.2.0', digest } }, /image\.tag and image\.digest contradict each other/],
    [{ image: { tag: 'latest' } }, /image\.tag latest names another program/],
    [{ resources: { requests: { memory: 'lots' } } }, /at '\/resources\/requests\/memory'/],
    [{ tolerations: [{ effect: 'Never' }] }, /must be one of 'NoSchedule'/],
    [
      { configuration: { nodeIPPolicies: [{ name: 'a', request: 'IPv4' }] } },
      /at '\/configuration\/nodeIPPolicies\/0': missing property 'selector'/,
    ],
    [
      { configuration: { nodeIPPolicies: [{ name: 'a', selector: {}, request: 'IPv5' }] } },
      /at '\/configuration\/nodeIPPolicies\/0\/request': 'IPv5' does not match/,
    ],
    [{ configuration: { podCIDRPool: [] } }, /'podCIDRPool' not allowed/],
    [
      { configuration: { excludeCIDRs: [{ cidr: '192.0.2.7' }] } },
      /at '\/configuration\/excludeCIDRs\/0\/cidr': '192\.0\.2\.7' does not match/,
    ],
    [
      { configuration: { podCIDRPools: [{ name: 'a', cidrs: ['foo'] }] } },
      /at '\/configuration\/podCIDRPools\/0\/cidrs\/0': 'foo' does not match/,
    ],
    [
      { configuration: { vips: { apiVIP: 'api.example.com' } } },
      /at '\/configuration\/vips\/apiVIP'/,
    ],
    [{ podMonitor: { interval: '30' } }, /at '\/podMonitor\/interval'/],
    [{ docsURL: 'docs' }, /at '\/docsURL'/],
    [{ cloudProvider: '' }, /cloudProvider is required: aws, azure, static/],
    [{ cloudProvider: 'external' }, /is a setting of the kubelet/],
    [{ cloudConfig: { name: '' } }, /cloudProvider static needs a file/],
    [{ cloudConfig: { content: 'x' } }, /contradict each other/],
    [
      { metrics: { readers: [{ kind: 'ServiceAccount', name: 'prometheus' }] } },
      /metrics\.readers: the ServiceAccount prometheus needs a namespace/,
    ],
    [
      { viewers: [{ kind: 'ServiceAccount', name: 'audit' }] },
      /viewers: the ServiceAccount audit needs a namespace/,
    ],
    [{ viewers: [{ kind: 'Person', name: 'jane' }] }, /at '\/viewers\/0\/kind'/],
    [
      {
        controllers: Object.fromEntries(
          ['cloud-node', 'cloud-node-lifecycle', 'node-ipam', 'node-route'].map((name) => [
            `${name}-controller`,
            false,
          ]),
        ),
      },
      /all of them are false/,
    ],
  ];
  for (const [values, want] of refusals) {
    it(`refuses ${JSON.stringify(values)}`, async () => {
      await assert.rejects(render(values), want);
    });
  }

  it('refuses another namespace, and says why', async () => {
    const chart = join(root, chartPath);
    const preset = join(chart, 'presets/static.yaml');
    await assert.rejects(
      helm().run('template', 'tandem', chart, '--namespace', 'tandem', '--values', preset),
      /installed into kube-system, not into tandem: the Lease.*Pass --namespace kube-system/,
    );
  });
});
