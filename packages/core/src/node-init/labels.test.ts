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
      name: 'take from the cloud all keys except those that belong to Kubernetes',
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
      name: 'may have the names of inherited object properties',
      cloud: { labels: { constructor: 'c', toString: 't' } },
      want: { constructor: 'c', toString: 't' },
    },
    {
      name: 'may have the key __proto__',
      cloud: { labels: Object.fromEntries([['__proto__', 'p']]) },
      want: Object.fromEntries([['__proto__', 'p']]),
    },
    {
      name: 'ignore an empty fact of the cloud',
      has: { [stableType]: 'own' },
      cloud: { instanceType: '', zone: '' },
      want: {},
    },
    {
      name: 'overwrite both keys of a fact, except one that is right already',
      has: { [betaZone]: 'z1', [stableZone]: 'old' },
      cloud: { zone: 'z1', region: 'r1' },
      want: { [stableZone]: 'z1', [betaRegion]: 'r1', [stableRegion]: 'r1' },
    },
    {
      name: 'keep the node’s value of an additional label',
      has: { rack: 'own' },
      cloud: { labels: { rack: 'r1', row: '7' } },
      want: { row: '7' },
    },
    {
      name: 'take the cloud’s value of an additional label with refreshLabels',
      has: { rack: 'own' },
      cloud: { labels: { rack: 'r1' } },
      refresh: true,
      want: { rack: 'r1' },
    },
    {
      name: 'follow the beta key if the cloud gave no answer',
      has: { [betaType]: 'm1', [stableType]: 'm2', [betaZone]: 'z1', [stableRegion]: 'r1' },
      want: { [stableType]: 'm1', [stableZone]: 'z1' },
    },
    {
      name: 'follow the beta key even if it is empty',
      has: { [betaZone]: '', [stableZone]: 'z1' },
      want: { [stableZone]: '' },
    },
    { name: 'stay if they agree', has: { [betaZone]: 'z', [stableZone]: 'z' }, want: {} },
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

  it('come with bounded remarks about ignored labels of the cloud', () => {
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

  it('end as upstream leaves them after initialisation and the next reconcile', () => {
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

/** Applies upstream's modifiers c to f in order, and then its reconcile of the next event. */
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
