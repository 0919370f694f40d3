/**
 * Informers on a real API server that is killed, paused, restarted, compacted and wiped, on a line that
 * is cut, and with a token that is replaced. Whatever happens, the caches end equal to a fresh list, in
 * both encodings.
 */
import assert from 'node:assert/strict';
import {
  inBackground,
  type ControlPlane,
  disturbedControlPlane,
  eventually,
  forgetfulControlPlane,
  privateControlPlane,
  requestOk,
  sharedControlPlane,
} from '../../control-plane/index.ts';
import {
  createNode,
  deleteNode,
  followNodes,
  labelNode,
  type NodeFollowers,
} from './node-followers.ts';
import { assertTokenRotates } from './informer-token.ts';

/** Most of it is waiting, so that it runs beside all the others, on a server that they leave alone. */
let rotation: Promise<void> | undefined;

function tokenRotates(controlPlane: ControlPlane): Promise<void> {
  rotation ??= inBackground(assertTokenRotates(controlPlane));
  return rotation;
}

describe('informers of a real API server', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;
  let nodes: NodeFollowers;

  before(async function () {
    controlPlane = await disturbedControlPlane(this);
    // The test that awaits it reports its failure.
    tokenRotates(await sharedControlPlane(this)).catch(() => {});
    for (const name of ['node-a', 'node-b', 'node-c']) await createNode(controlPlane, name);
  });

  beforeEach(async () => {
    nodes = await followNodes(controlPlane);
  });

  afterEach(() => nodes.stop());

  const untilEnding = (ending: string): Promise<unknown> =>
    eventually(async () => {
      const counts = await Promise.all(nodes.followers.map((one) => one.endings(ending)));
      return counts.every((count) => count > 0);
    });

  it('read the same projection in both encodings, whatever else a node has', async () => {
    await createNode(controlPlane, 'node-full');
    await requestOk(controlPlane.admin, {
      method: 'PATCH',
      path: '/api/v1/nodes/node-full',
      contentType: 'application/merge-patch+json',
      body: fullNode,
    });
    await requestOk(controlPlane.admin, {
      method: 'PATCH',
      path: '/api/v1/nodes/node-full/status',
      contentType: 'application/merge-patch+json',
      body: fullStatus,
    });
    await nodes.untilEqual();
    for (const { informer } of nodes.followers) {
      const node = informer.get('node-full');
      assert.deepEqual(node?.podCIDRs, ['10.244.7.0/24', 'fd00:10:244:7::/64']);
      assert.deepEqual(node.annotations, { 'tandem.dev/node-ip': 'IPv6,IPv4 – ü' });
      assert.deepEqual(node.taints[0], { key: 'pool', value: '', effect: 'NoSchedule' });
      assert.equal(node.ready?.status, 'True');
      assert.equal(node.ready.lastTransitionSeconds, Date.parse('2026-03-01T12:00:00Z') / 1000);
      assert.equal(node.unschedulable, true);
      assert.equal(node.bootID, 'boot-1');
      assert.equal(node.systemUUID, 'system');
      assert.equal(node.addresses.length, 3);
      assert.equal(node.providerID, 'static:///node-full');
    }
  });

  it('notify no subscriber of a heartbeat', async () => {
    await nodes.untilEqual();
    const before = nodes.followers.map(({ told }) => told.get('node-a'));
    const lastHeartbeatTime = '2026-03-01T12:10:00Z';
    await requestOk(controlPlane.admin, {
      method: 'PATCH',
      path: '/api/v1/nodes/node-a/status',
      contentType: 'application/strategic-merge-patch+json',
      body: {
        status: { conditions: [{ type: 'MemoryPressure', status: 'False', lastHeartbeatTime }] },
      },
    });
    await nodes.untilEqual();
    assert.deepEqual(
      nodes.followers.map(({ told }) => told.get('node-a')),
      before,
    );
  });

  it('see what was deleted, created again and changed while the connection was cut', async () => {
    const uids = nodes.followers.map(({ told }) => told.get('node-b')?.uid);
    await nodes.cut('is refused');
    await deleteNode(controlPlane, 'node-a');
    await deleteNode(controlPlane, 'node-b');
    await createNode(controlPlane, 'node-b');
    await labelNode(controlPlane, 'node-c', 'while-cut');
    nodes.mend();
    await nodes.untilEqual();
    for (const [index, { told }] of nodes.followers.entries()) {
      assert.notEqual(told.get('node-b')?.uid, uids[index]);
    }
  });

  it('continue after the API server was killed and started again', async () => {
    await controlPlane.apiServer.kill();
    await untilEnding('unreachable');
    await controlPlane.apiServer.start();
    await labelNode(controlPlane, 'node-b', 'after-the-kill');
    await nodes.untilEqual();
  });

  it('continue after an orderly restart', async () => {
    await controlPlane.apiServer.restart();
    await createNode(controlPlane, 'node-d');
    await nodes.untilEqual();
  });

  it('give up a server that is paused, and follow it when it wakes up', async () => {
    await controlPlane.apiServer.pause();
    await untilEnding('silent');
    controlPlane.apiServer.resume();
    await labelNode(controlPlane, 'node-b', 'after-the-pause');
    await nodes.untilEqual();
  });

  it('notice that etcd was restored to an older state, and end equal to it', async () => {
    await controlPlane.backUpEtcd();
    await createNode(controlPlane, 'node-lost');
    for (const value of ['1', '2', '3', '4', '5']) await labelNode(controlPlane, 'node-b', value);
    await nodes.untilEqual();
    await controlPlane.restoreEtcd();
    await createNode(controlPlane, 'node-after-the-restore');
    await nodes.untilEqual();
    for (const { informer } of nodes.followers) {
      assert.equal(informer.get('node-lost'), undefined);
      assert.notEqual(informer.get('node-after-the-restore'), undefined);
    }
    // The watch goes on from there.
    await labelNode(controlPlane, 'node-c', 'restored');
    await nodes.untilEqual();
  });

  it('notice that etcd was wiped, go back with it and end equal to the new cluster', async () => {
    for (const value of ['1', '2', '3', '4', '5']) await labelNode(controlPlane, 'node-b', value);
    await nodes.untilEqual();
    const versions = (): number[] =>
      nodes.followers.map(({ informer }) => Number(informer.facts.resourceVersion));
    const before = versions();
    await controlPlane.wipeEtcd({ apiServer: 'restarted' });
    await createNode(controlPlane, 'node-of-the-new-cluster');
    await nodes.untilEqual();
    for (const [index, version] of versions().entries()) {
      assert.ok(version < (before[index] ?? 0), `${version} is not below ${before[index]}`);
    }
    // The watch goes on at the lower version.
    await createNode(controlPlane, 'node-after-the-wipe');
    await nodes.untilEqual();
  });
});

describe('informers whose version the API server has forgotten', function () {
  this.timeout(120_000);

  it('list again after 410, and end equal', async function () {
    const controlPlane = await forgetfulControlPlane(this);
    for (const name of ['node-a', 'node-b']) await createNode(controlPlane, name);
    // Going on with a watch would not be tried after so long a time otherwise.
    const nodes = await followNodes(controlPlane, { resumeWithinMs: 60_000, answerMs: 60_000 });
    try {
      await nodes.cut('waits');
      await deleteNode(controlPlane, 'node-a');
      await createNode(controlPlane, 'node-c');
      await controlPlane.compactEtcd();
      nodes.mend();
      await nodes.untilEqual();
      for (const follower of nodes.followers) {
        assert.equal(await follower.endings('expired'), 1, follower.encoding);
      }
    } finally {
      await nodes.stop();
    }
  });
});

describe('informers of an API server that does not stream lists', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;

  before(async function () {
    controlPlane = await privateControlPlane(this, {
      extraArgs: ['--feature-gates=WatchList=false'],
    });
    for (let number = 0; number < 7; number += 1) await createNode(controlPlane, `node-${number}`);
  });

  it('list in pages, watch from there, and do so again after an outage', async () => {
    const nodes = await followNodes(controlPlane, { pageSize: 2 });
    try {
      await nodes.untilEqual();
      await nodes.cut('is refused');
      await deleteNode(controlPlane, 'node-3');
      await createNode(controlPlane, 'node-8');
      nodes.mend();
      await labelNode(controlPlane, 'node-5', 'changed');
      await nodes.untilEqual();
      for (const follower of nodes.followers) {
        assert.ok((await follower.endings('not streamed')) >= 1, follower.encoding);
        assert.ok((await follower.endings('listed')) >= 1, follower.encoding);
      }
    } finally {
      await nodes.stop();
    }
  });
});

// It comes last and has least to wait for.
describe('informers whose token rotates', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;

  before(async function () {
    controlPlane = await sharedControlPlane(this);
  });

  it('are refused with the old one, read the new one at once, and end equal', async () => {
    await tokenRotates(controlPlane);
  });
});

const fullNode = {
  metadata: {
    labels: { 'kubernetes.io/hostname': 'node-full', zone: 'a', empty: '' },
    annotations: { 'tandem.dev/node-ip': 'IPv6,IPv4 – ü', 'example.com/other': 'x'.repeat(500) },
    finalizers: [],
  },
  spec: {
    podCIDR: '10.244.7.0/24',
    podCIDRs: ['10.244.7.0/24', 'fd00:10:244:7::/64'],
    unschedulable: true,
    taints: [
      { key: 'pool', effect: 'NoSchedule' },
      { key: 'drain', value: 'yes', effect: 'NoExecute', timeAdded: '2026-03-01T12:00:00Z' },
    ],
  },
};

const fullStatus = {
  status: {
    capacity: { cpu: '8', memory: '32Gi' },
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
        lastHeartbeatTime: '2026-03-01T12:05:00Z',
        lastTransitionTime: '2026-03-01T12:00:00Z',
      },
    ],
    addresses: [
      { type: 'InternalIP', address: '10.0.0.7' },
      { type: 'InternalIP', address: 'fd00::7' },
      { type: 'Hostname', address: 'node-full' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: {
      machineID: 'machine',
      systemUUID: 'system',
      bootID: 'boot-1',
      kernelVersion: '6.12',
    },
    images: Array.from({ length: 40 }, (_, index) => ({
      names: [`registry.example/image-${index}:v1`],
      sizeBytes: 10_000_000 + index,
    })),
    volumesInUse: ['volume'],
    volumesAttached: [{ name: 'volume', devicePath: '/dev/x' }],
    runtimeHandlers: [{ name: 'runc', features: { userNamespaces: true } }],
    features: { supplementalGroupsPolicy: true },
  },
};
