import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { CloudInstance } from './cloud-answer.ts';
import { planLabels } from './labels.ts';
import type { Labels } from './node.ts';

const betaType = 'beta.kubernetes.io/instance-type';
const stableType = 'node.kubernetes.io/instance-type';
const betaZone = 'failure-domain.beta.kubernetes.io/zone';
const stableZone = 'topology.kubernetes.io/zone';
const betaRegion = 'failure-domain.beta.kubernetes.io/region';
const stableRegion = 'topology.kubernetes.io/region';

const anInstance = (facts: Partial<CloudInstance>): CloudInstance => ({
  providerID: 'cloud://0',
  addresses: [],
  labels: {},
  podBlocks: { IPv4: [], IPv6: [] },
  ...facts,
});

describe('labels of a node', () => {
  const cases: {
    name: string;
    has?: Labels;
    cloud?: Partial<CloudInstance>;
    refresh?: true;
    want: Labels;
  }[] = [
    {
      name: 'take no key that belongs to Kubernetes from the cloud, and only those',
      cloud: {
        labels: {
          'topology.kubernetes.io/x': '1',
          'topology.k8s.io/x': '1',
          'kubernetes.io/x': '1',
          'k8s.io/x': '1',
          'app.k8snio/bar': '1',
          'k8snio/bar': '1',
          'topology.k8s.cp/zone-id': '1',
          'my.custom.label/foo': '1',
          'mykubernetes.io/x': '1',
          'kubernetes.io': '1',
        },
      },
      want: {
        'app.k8snio/bar': '1',
        'k8snio/bar': '1',
        'topology.k8s.cp/zone-id': '1',
        'my.custom.label/foo': '1',
        'mykubernetes.io/x': '1',
        'kubernetes.io': '1',
      },
    },
    {
      name: 'are not mistaken for what objects inherit',
      cloud: { labels: { constructor: 'c', toString: 't' } },
      want: { constructor: 'c', toString: 't' },
    },
    {
      name: 'take a key called __proto__ for a key',
      cloud: { labels: Object.fromEntries([['__proto__', 'p']]) },
      want: Object.fromEntries([['__proto__', 'p']]),
    },
    {
      name: 'count an empty fact of the cloud as none',
      has: { [stableType]: 'own' },
      cloud: { instanceType: '', zone: '' },
      want: {},
    },
    {
      name: 'overwrite both keys of a fact, and leave out the one that is right',
      has: { [betaZone]: 'z1', [stableZone]: 'old' },
      cloud: { zone: 'z1', region: 'r1' },
      want: { [stableZone]: 'z1', [betaRegion]: 'r1', [stableRegion]: 'r1' },
    },
    {
      name: 'keep the value of the node for a further label',
      has: { rack: 'own' },
      cloud: { labels: { rack: 'r1', row: '7' } },
      want: { row: '7' },
    },
    {
      name: 'take the value of the cloud for a further label when kept true',
      has: { rack: 'own' },
      cloud: { labels: { rack: 'r1' } },
      refresh: true,
      want: { rack: 'r1' },
    },
    {
      name: 'follow the beta key where the cloud is not heard',
      has: { [betaType]: 'm1', [stableType]: 'm2', [betaZone]: 'z1', [stableRegion]: 'r1' },
      want: { [stableType]: 'm1', [stableZone]: 'z1' },
    },
    {
      name: 'follow the beta key even where it is empty',
      has: { [betaZone]: '', [stableZone]: 'z1' },
      want: { [stableZone]: '' },
    },
    { name: 'stay when they agree', has: { [betaZone]: 'z', [stableZone]: 'z' }, want: {} },
  ];
  for (const { name, has = {}, cloud, refresh, want } of cases) {
    it(name, () => {
      const { changes } = planLabels({
        labels: has,
        instance: cloud === undefined ? null : anInstance(cloud),
        onDifference: refresh ? 'overwrite' : 'keep',
      });
      assert.deepEqual(changes, want);
    });
  }

  it('say which labels of the cloud were not taken, within bounds', () => {
    const many = Array.from({ length: 500 }, (_, index) => [`${index}.k8s.io/\n`, 'x']);
    const { remarks } = planLabels({
      labels: { rack: 'own', row: '7' },
      instance: anInstance({ labels: { rack: 'r1', row: '7', ...Object.fromEntries(many) } }),
      onDifference: 'keep',
    });
    assert.equal(remarks.length, 2);
    assert.match(
      remarks[0]!,
      /^ignored labels of the cloud whose keys belong to Kubernetes: 0\.k8s\.io\/\\u\{a\}, .* more$/,
    );
    assert.ok(remarks[0]!.length < 800);
    assert.equal(remarks[1], "kept the node's labels where the cloud has other values: rack");
  });

  it('end as upstream leaves them after initialisation and the next look', () => {
    const value = fc.constantFrom('a', 'b', '');
    const ours = fc.constantFrom('rack', 'x.k8s.io/y', betaZone, 'k8s.io');
    const facts = { instanceType: value, zone: value, region: value };
    const keys = [betaType, stableType, betaZone, stableZone, betaRegion, stableRegion, 'rack'];
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys), value),
        fc.record(facts, { requiredKeys: [] }),
        fc.dictionary(ours, value),
        (labels, given, further) => {
          const instance = anInstance({ ...given, labels: further });
          const { changes } = planLabels({ labels, instance, onDifference: 'keep' });
          assert.deepEqual({ ...labels, ...changes }, upstream({ ...labels }, instance));
        },
      ),
    );
  });
});

/** Upstream's modifiers c to f, one after the other, and its reconcile of the next event. */
function upstream(labels: Record<string, string>, instance: CloudInstance): Labels {
  if (instance.instanceType) {
    labels[betaType] = instance.instanceType;
    labels[stableType] = instance.instanceType;
  }
  if (instance.zone) {
    labels[betaZone] = instance.zone;
    labels[stableZone] = instance.zone;
  }
  if (instance.region) {
    labels[betaRegion] = instance.region;
    labels[stableRegion] = instance.region;
  }
  for (const key of Object.keys(instance.labels)) {
    const domain = `.${key.split('/')[0]}`;
    const isReserved = domain.endsWith('.k8s.io') || domain.endsWith('.kubernetes.io');
    if (key.includes('/') && isReserved) continue;
    labels[key] ??= instance.labels[key]!;
  }
  if (betaZone in labels) labels[stableZone] = labels[betaZone]!;
  if (betaRegion in labels) labels[stableRegion] = labels[betaRegion]!;
  if (betaType in labels) labels[stableType] = labels[betaType]!;
  return labels;
}
