import assert from 'node:assert/strict';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import * as fc from 'fast-check';
import { jsonCodec } from '../codec/json-codec.ts';
import { encode } from '../codec/protobuf-bytes.fixture.ts';
import { reuseParts } from '../informer/mirror.ts';
import { anApiNode, type ApiNode, apiNodes, nodeMessage } from './api-node.fixture.ts';
import type { NodeProjection } from './node-projection.ts';
import { createNodeReader } from './node-reader.ts';

function fromJson(node: ApiNode): NodeProjection {
  return createNodeReader().fromJson(JSON.parse(JSON.stringify(node)));
}

function fromProtobuf(node: ApiNode): NodeProjection | undefined {
  return createNodeReader().fromProtobuf?.(new BinaryReader(encode(nodeMessage(node))));
}

/** A second, naive implementation of the projection. */
function naively(node: ApiNode): unknown {
  const { metadata, spec, status }: ApiNode = JSON.parse(JSON.stringify(node));
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const network = status.conditions?.find(({ type }) => type === 'NetworkUnavailable');
  const isKept = (key: string): boolean => /^(tandem\.dev\/|alpha.*provided-node-ip$)/s.test(key);
  const seconds = (text: string): number => Date.parse(text) / 1000;
  return {
    ...metadata,
    labels: metadata.labels ?? {},
    annotations: Object.fromEntries(
      Object.entries(metadata.annotations ?? {}).filter(([key]) => isKept(key)),
    ),
    creationTimestamp: seconds(metadata.creationTimestamp),
    deletionTimestamp:
      metadata.deletionTimestamp === undefined ? undefined : seconds(metadata.deletionTimestamp),
    providerID: spec.providerID ?? '',
    podCIDRs: spec.podCIDRs ?? [],
    taints: (spec.taints ?? []).map(({ key, value = '', effect }) => ({ key, value, effect })),
    unschedulable: spec.unschedulable ?? false,
    addresses: status.addresses ?? [],
    ready: ready && {
      status: ready.status,
      lastTransitionSeconds: seconds(ready.lastTransitionTime),
    },
    networkUnavailable: network && { status: network.status, reason: network.reason ?? '' },
    bootID: status.nodeInfo?.bootID ?? '',
    systemUUID: status.nodeInfo?.systemUUID ?? '',
  };
}

function plainly(projection: NodeProjection): unknown {
  const { creationTimestampSeconds, deletionTimestampSeconds, ...rest } = projection;
  return {
    ...rest,
    creationTimestamp: creationTimestampSeconds,
    deletionTimestamp: deletionTimestampSeconds,
  };
}

describe('the node reader', () => {
  it('gives the same projection from both encodings, whatever other fields a node has', () => {
    fc.assert(
      fc.property(apiNodes, (node) => {
        assert.deepEqual(plainly(fromJson(node)), naively(node));
        assert.deepEqual(fromProtobuf(node), fromJson(node));
      }),
      { numRuns: 100 },
    );
  });

  it('allows reuse of parts of an older projection, with a result that equals the newer one', () => {
    fc.assert(
      fc.property(apiNodes, apiNodes, fc.boolean(), (first, second, isHeartbeat) => {
        const changed = isHeartbeat ? { ...first, metadata: { ...first.metadata } } : second;
        const before = fromJson(first);
        const after = { ...fromJson(changed), resourceVersion: '99' };
        const reused = reuseParts(before, after);
        assert.deepEqual(reused.after, after);
        if (isHeartbeat) assert.equal(reused.after.labels, before.labels);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps only the annotations that Tandem uses', () => {
    const annotations = {
      'tandem.dev/node-ip': 'IPv6',
      'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      'alpha.kubernetes.io/provided-node-ip': '',
    };
    const node = anApiNode({ metadata: { annotations } });
    const want = { 'alpha.kubernetes.io/provided-node-ip': '', 'tandem.dev/node-ip': 'IPv6' };
    assert.deepEqual(fromJson(node).annotations, want);
  });

  it('shows no change after a heartbeat, and a change after an update of any kept field', () => {
    const ready = {
      type: 'Ready',
      status: 'True',
      lastHeartbeatTime: '2026-03-01T12:00:00Z',
      lastTransitionTime: '2026-03-01T12:00:00Z',
    };
    const network = { ...ready, type: 'NetworkUnavailable', reason: 'NoRouteCreated' };
    const info = { machineID: 'm', systemUUID: 's', bootID: 'b', kubeletVersion: 'v1.36.4' };
    const base = anApiNode({ status: { conditions: [ready, network], nodeInfo: info } });
    const beat = anApiNode({
      metadata: { resourceVersion: '42' },
      status: {
        conditions: [ready, network].map((condition) => ({
          ...condition,
          lastHeartbeatTime: '2026-03-01T12:05:00Z',
        })),
        nodeInfo: info,
      },
    });
    const isSame = (a: NodeProjection, b: NodeProjection): boolean => !reuseParts(a, b).isChanged;
    assert.ok(isSame(fromJson(base), fromJson(beat)));

    const { metadata, spec, status } = base;
    const others: ApiNode[] = [
      { spec, status, metadata: { ...metadata, uid: 'another' } },
      { spec, status, metadata: { ...metadata, creationTimestamp: '2026-03-01T12:00:01Z' } },
      { spec, status, metadata: { ...metadata, deletionTimestamp: '2026-03-01T12:00:01Z' } },
      { spec, status, metadata: { ...metadata, labels: { a: '' } } },
      { spec, status, metadata: { ...metadata, annotations: { 'tandem.dev/paused': 'true' } } },
      { metadata, status, spec: { providerID: 'static:///a' } },
      { metadata, status, spec: { podCIDRs: ['10.0.0.0/24'] } },
      { metadata, status, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
      { metadata, status, spec: { unschedulable: true } },
      { metadata, spec, status: { ...status, addresses: [{ type: 'Hostname', address: 'a' }] } },
      {
        metadata,
        spec,
        status: { ...status, conditions: [{ ...ready, status: 'Unknown' }, network] },
      },
      { metadata, spec, status: { ...status, conditions: [ready] } },
      {
        metadata,
        spec,
        status: { ...status, conditions: [ready, { ...network, status: 'False' }] },
      },
      {
        metadata,
        spec,
        status: { ...status, conditions: [ready, { ...network, reason: 'CalicoIsUp' }] },
      },
      { metadata, spec, status: { ...status, nodeInfo: { ...info, bootID: 'c' } } },
      { metadata, spec, status: { ...status, nodeInfo: { ...info, systemUUID: 't' } } },
    ];
    for (const other of others)
      assert.ok(!isSame(fromJson(base), fromJson(other)), JSON.stringify(other));
  });

  const broken: readonly { readonly name: string; readonly node: unknown }[] = [
    { name: 'is not an object', node: [] },
    { name: 'has no name', node: anApiNode({ metadata: { name: '' } }) },
    { name: 'has no uid', node: anApiNode({ metadata: { uid: '' } }) },
    { name: 'has no resourceVersion', node: anApiNode({ metadata: { resourceVersion: '' } }) },
    {
      name: 'has a resourceVersion that is not a number',
      node: anApiNode({ metadata: { resourceVersion: 'x1' } }),
    },
    { name: 'has labels that are a list', node: { metadata: { labels: [] } } },
    { name: 'has a label that is a number', node: { metadata: { labels: { a: 1 } } } },
    { name: 'has taints that are an object', node: { spec: { taints: {} } } },
    { name: 'has an invalid time', node: anApiNode({ metadata: { creationTimestamp: 'x' } }) },
  ];
  for (const { name, node } of broken) {
    it(`rejects a node that ${name}`, () => {
      assert.throws(() => createNodeReader().fromJson(node), { code: 'Undecodable' });
      const body = Buffer.from(JSON.stringify({ metadata: {}, items: [node] }));
      assert.throws(() => jsonCodec.readList(body, createNodeReader()), { code: 'Undecodable' });
    });
  }

  it('reads null as an absent field, as Go may write it', () => {
    const node = anApiNode();
    const withNulls = { ...node, spec: null, metadata: { ...node.metadata, labels: null } };
    assert.deepEqual(createNodeReader().fromJson(withNulls), fromJson(node));
  });
});
