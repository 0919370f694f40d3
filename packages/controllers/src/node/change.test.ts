import assert from 'node:assert/strict';
import { reuseParts } from '@tandem/kube/informer';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { mayChangeOwner, reactionTo } from './change.ts';

const reader = createNodeReader();

const base = {
  metadata: {
    name: 'a',
    uid: 'u',
    resourceVersion: '1',
    labels: { os: 'linux' },
    annotations: { 'tandem.dev/node-ip': 'IPv4', 'tandem.dev/note': 'x' },
  },
  spec: { taints: [{ key: 't', effect: 'NoSchedule' }] },
  status: {
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-03-01T12:00:00Z' }],
    nodeInfo: { bootID: 'boot-1' },
  },
};

type Part = 'metadata' | 'spec' | 'status';

/** Two versions as the informer passes them on: equal parts are the same object. */
function update(changes: Partial<Record<Part, object>>): {
  readonly before: NodeProjection;
  readonly after: NodeProjection;
} {
  const before = reader.fromJson(base);
  const changed = {
    metadata: { ...base.metadata, ...changes.metadata },
    spec: { ...base.spec, ...changes.spec },
    status: { ...base.status, ...changes.status },
  };
  return { before, after: reuseParts(before, reader.fromJson(changed)).after };
}

describe('a change of a Node', () => {
  const plain = { kind: 'plan', changesRequest: false, asksAfresh: false };
  const asking = { kind: 'plan', changesRequest: true, asksAfresh: false };
  const fresh = { kind: 'plan', changesRequest: false, asksAfresh: true };
  const ready = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-03-01T13:00:00Z' }];
  const unknown = [
    { type: 'Ready', status: 'Unknown', lastTransitionTime: '2026-03-01T13:00:00Z' },
  ];
  const annotated = (annotations: object): object => ({
    annotations: { ...base.metadata.annotations, ...annotations },
  });
  const cases: {
    name: string;
    changes: Partial<Record<Part, object>>;
    policies?: boolean;
    want: object;
  }[] = [
    { name: 'a cordon', changes: { spec: { unschedulable: true } }, want: { kind: 'none' } },
    { name: 'pod CIDRs', changes: { spec: { podCIDRs: ['10.1.0.0/24'] } }, want: { kind: 'none' } },
    { name: 'NotReady', changes: { status: { conditions: unknown } }, want: { kind: 'none' } },
    { name: 'Ready again', changes: { status: { conditions: ready } }, want: fresh },
    { name: 'a boot', changes: { status: { nodeInfo: { bootID: 'boot-2' } } }, want: fresh },
    { name: 'taints', changes: { spec: { taints: [] } }, want: plain },
    { name: 'a providerID', changes: { spec: { providerID: 'p' } }, want: plain },
    { name: 'addresses', changes: { status: { addresses: [] } }, want: plain },
    { name: 'labels', changes: { metadata: { labels: {} } }, want: plain },
    {
      name: 'labels beside policies',
      changes: { metadata: { labels: {} } },
      policies: true,
      want: asking,
    },
    {
      name: 'another annotation',
      changes: { metadata: annotated({ 'tandem.dev/note': 'y' }) },
      want: plain,
    },
    {
      name: 'a pause',
      changes: { metadata: annotated({ 'tandem.dev/paused': 'true' }) },
      want: plain,
    },
    {
      name: 'a request',
      changes: { metadata: annotated({ 'tandem.dev/node-ip': 'IPv6' }) },
      want: asking,
    },
    {
      name: 'kubelet’s request',
      changes: { metadata: annotated({ 'alpha.kubernetes.io/provided-node-ip': '' }) },
      want: asking,
    },
  ];
  for (const { name, changes, policies = false, want } of cases) {
    it(`decides what a change requires: ${name}`, () => {
      assert.deepEqual(reactionTo(update(changes), { hasPolicies: policies }), want);
    });
  }

  const zone = { 'topology.kubernetes.io/zone': 'z', 'beta.kubernetes.io/instance-type': 't' };
  const owners: readonly { name: string; changes: Partial<Record<Part, object>>; want: boolean }[] =
    [
      { name: 'a label', changes: { metadata: { labels: { os: 'linux', a: '' } } }, want: true },
      { name: 'another value', changes: { metadata: { labels: { os: 'x' } } }, want: true },
      { name: 'a lost label', changes: { metadata: { labels: {} } }, want: true },
      { name: 'a label beside a zone', changes: { metadata: { labels: zone } }, want: true },
      { name: 'a zone', changes: { metadata: { labels: { os: 'linux', ...zone } } }, want: false },
      { name: 'an annotation', changes: { metadata: annotated({ a: 'b' }) }, want: false },
      { name: 'a condition', changes: { status: { conditions: ready } }, want: false },
    ];
  for (const { name, changes, want } of owners) {
    it(`${want ? 'may change' : 'does not change'} which cloud owns the node: ${name}`, () => {
      assert.equal(mayChangeOwner(update(changes)), want);
    });
  }
});
