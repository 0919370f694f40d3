/** What people get who apply `manifests/rendered`, by the program's own readers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownManifest } from '@tandem/manager/access';
import { controllers } from '@tandem/manager/controllers';
import { knownFlags, parseCommandLine } from '@tandem/manager/flags';
import { parse, parseAllDocuments } from 'yaml';
import { memorySettings } from '../build/memory-settings.ts';
import { presets, renderedManifests } from './rendered.ts';
import { flagValues, notForArgs } from './values/flag-values.ts';

const root = join(import.meta.dirname, '..', '..');

interface ManifestObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const objectsIn = (path: string): ManifestObject[] =>
  parseAllDocuments(read(path)).map((document) => document.toJS());

function podOf(preset: string) {
  const deployment = objectsIn(`manifests/rendered/${preset}.yaml`).find(
    ({ kind }) => kind === 'Deployment',
  );
  return Reflect.get(Object(deployment), 'spec').template.spec;
}

/** Of docs/explanation/performance.md, with all controllers. */
const peakMB = { aws: 351, azure: 471, static: 246 };

describe('the rendered manifests', () => {
  for (const preset of presets) {
    describe(`for ${preset}`, () => {
      const pod = podOf(preset);
      const [container] = pod.containers;

      it('start the manager with arguments that it takes', () => {
        const parsed = parseCommandLine(container.args);
        assert.ok(parsed.kind === 'run');
        assert.deepEqual(parsed.problems, []);
        const { cloud, election, serving } = parsed.settings;
        assert.equal(cloud.provider, preset);
        assert.deepEqual(election.lease, {
          namespace: 'kube-system',
          name: 'cloud-controller-manager',
        });
        assert.ok(election.isEnabled);
        assert.equal(serving.port, container.ports[0].containerPort);
        assert.deepEqual(
          parsed.flags.get('controllers')?.split(','),
          controllers.map(({ name }) => name),
        );
      });

      it('read --cloud-config from a file that is mounted', () => {
        const parsed = parseCommandLine(container.args);
        assert.ok(parsed.kind === 'run');
        const { configPath = '' } = parsed.settings.cloud;
        const mounts: { mountPath: string; name: string }[] = container.volumeMounts ?? [];
        const mounted = mounts.filter(({ mountPath }) => configPath.startsWith(`${mountPath}/`));
        assert.equal(mounted.length, configPath === '' ? 0 : 1);
        assert.deepEqual(
          mounts.map(({ name }) => name),
          (pod.volumes ?? []).map(({ name }: { name: string }) => name),
        );
      });

      it('set the memory settings of memory.env', () => {
        const env = container.env.map((each: { name: string; value: string }) => [
          each.name,
          each.value,
        ]);
        assert.deepEqual(Object.fromEntries(env), memorySettings());
      });

      it('leave room for the memory that 5,000 nodes take at their peak', () => {
        const [, mebibytes = ''] = /^(\d+)Mi$/.exec(container.resources.limits.memory) ?? [];
        assert.ok((Number(mebibytes) * 1024 ** 2) / 1e6 > 1.25 * peakMB[preset], mebibytes);
      });

      it('are named an image by the kustomization of the guide', () => {
        const guide = read('docs/guides/run-the-manager.md');
        const [, text = ''] = /```yaml\n(# kustomization\.yaml\n[^`]*)```/.exec(guide) ?? [];
        const { resources, images } = parse(text);
        assert.deepEqual(resources, ['static.yaml']);
        assert.equal(images[0].name, container.image.replace(/:[^:]*$/, ''));
      });

      it('give the permissions of rbac.yaml, and have roles for metrics and for the plugin', () => {
        const isAccess = ({ kind }: ManifestObject): boolean =>
          kind === 'ServiceAccount' || kind.includes('Role');
        const access = objectsIn(`manifests/rendered/${preset}.yaml`).filter(isAccess);
        const readers = access.filter(isMetricsReader);
        assert.deepEqual(readers.map(grantOf), [
          {
            kind: 'ClusterRole',
            namespace: undefined,
            rules: [{ nonResourceURLs: ['/metrics', '/metrics/slis'], verbs: ['get'] }],
          },
        ]);
        const viewers = access.filter(isViewer);
        assert.deepEqual(viewers.map(grantOf), rolesOfThePluginGuide());
        const others = access.filter((each) => !isMetricsReader(each) && !isViewer(each));
        assert.deepEqual(others, objectsIn(ownManifest));
      });

      it('name an image that nobody can own', () => {
        assert.match(container.image, /^[a-z.]+\.invalid\//);
      });

      it('tolerate what a node has before it is initialised', () => {
        const keys = pod.tolerations.map(({ key }: { key: string }) => key);
        for (const key of [
          'node.cloudprovider.kubernetes.io/uninitialized',
          'node-role.kubernetes.io/control-plane',
          'node.kubernetes.io/not-ready',
          'node.kubernetes.io/unreachable',
          'node.kubernetes.io/network-unavailable',
          'CriticalAddonsOnly',
        ]) {
          assert.ok(keys.includes(key), key);
        }
      });
    });
  }

  it('are complete: each preset has its file', () => {
    const paths = renderedManifests.map(({ path }) => path);
    for (const preset of presets) assert.ok(paths.includes(`manifests/rendered/${preset}.yaml`));
  });

  it('have the version of the program', () => {
    const { appVersion, version } = parse(read('manifests/chart/Chart.yaml'));
    const program = JSON.parse(read('packages/manager/package.json'));
    assert.deepEqual([appVersion, version], [program.version, program.version]);
  });
});

describe('the flags that the chart takes', () => {
  it('are all that the manager takes, but for those that other values set', () => {
    const taken = knownFlags
      .filter(({ support }) => support?.kind !== 'refused')
      .map(({ name }) => name);
    assert.deepEqual(
      taken.filter((name) => !notForArgs.has(name)),
      Object.keys(flagValues()),
    );
    const stale = [...notForArgs].filter((name) => !taken.includes(name));
    assert.deepEqual(stale, []);
  });

  const networks = [
    '',
    '10.244.0.0/16',
    ' 10.244.0.0/16,fd00:10:244::/48 ',
    '010.1.2.3/08',
    '::/0',
  ];
  const noNetworks = [
    'foo',
    '10.244.0.0',
    '10.244.0.0/16,',
    '10.244.0.0/33',
    '10.0.0.0/16, fd00::/48',
    'fd00::/x',
    'fd00::/129',
  ];
  const cases = [
    ...['cluster-cidr', 'service-cluster-ip-range'].map((flag) => ({
      flag,
      taken: networks,
      refused: noNetworks,
    })),
    {
      flag: 'bind-address',
      taken: ['0.0.0.0', '::', '::ffff:10.0.0.1', 'FD00::1', '010.0.0.1'],
      refused: ['', 'localhost', '[::]', '10.0.0.1/32', 'fe80::1%eth0'],
    },
  ];
  for (const { flag, taken, refused } of cases) {
    it(`have the form of ${flag} that the manager wants`, () => {
      const { pattern = '' } = flagValues()[flag] ?? {};
      const isTaken = (text: string): boolean => {
        const parsed = parseCommandLine(['--cloud-provider=static', `--${flag}=${text}`]);
        assert.ok(parsed.kind === 'run');
        return !parsed.problems.some((problem) => problem.includes(`--${flag}`));
      };
      for (const [texts, want] of [
        [taken, true],
        [refused, false],
      ] as const) {
        for (const text of texts) {
          assert.deepEqual([isTaken(text), new RegExp(pattern).test(text)], [want, want], text);
        }
      }
    });
  }
});

function isMetricsReader({ metadata }: ManifestObject): boolean {
  return metadata.name.endsWith(':metrics-reader');
}

function isViewer({ metadata }: ManifestObject): boolean {
  return metadata.name.endsWith(':viewer');
}

/** What a role allows, and where; its name and labels are left out. */
function grantOf(role: ManifestObject) {
  const { namespace } = role.metadata;
  return { kind: role.kind, namespace, rules: Reflect.get(role, 'rules') };
}

/** What docs/guides/use-the-plugin.md tells people to create who do not use the chart. */
function rolesOfThePluginGuide() {
  const page = read('docs/guides/use-the-plugin.md');
  const blocks = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text);
  const roles = blocks.filter((text) => text.includes('nodeip-viewer'));
  assert.equal(roles.length, 1);
  return parseAllDocuments(roles.join('')).map((document) => grantOf(document.toJS()));
}
