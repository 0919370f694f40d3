import assert from 'node:assert/strict';
import { kubeletAnnotation, runKubelet } from '@tandem/core/node-address';
import { seededIds } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { aCluster, ask } from '../model/asking.fixture.ts';
import { reportedAddresses } from './reported-addresses.ts';
import { type KubeletFlags, SimulatedKubelet } from './simulated-kubelet.ts';

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

function aKubelet(flags: Partial<KubeletFlags> = {}) {
  const embedded = aCluster();
  const ports = { ...embedded, ids: seededIds(seededRandom('kubelet')) };
  const kubelet = new SimulatedKubelet(ports, { name: 'n', ...flags });
  const node = async () => (await ask(embedded, 'GET', '/api/v1/nodes/n')).body;
  return { embedded, kubelet, node };
}

const keysOf = (node: { spec: { taints?: { key: string }[] } }): string[] =>
  (node.spec.taints ?? []).map(({ key }) => key);

const readyOf = (node: { status: { conditions: { type: string; status: string }[] } }) =>
  node.status.conditions.find(({ type }) => type === 'Ready');

describe('a simulated kubelet', () => {
  it('registers its node tainted, annotated and ready', async () => {
    const { kubelet, node } = aKubelet({
      nodeIP: 'fd00::1,10.0.0.1',
      labels: { pool: 'a' },
      providerID: 'x://1',
    });
    const registered = await kubelet.register();
    const seen = await node();
    assert.deepEqual(registered, { kind: 'created', uid: seen.metadata.uid });
    assert.ok(keysOf(seen).includes(uninitialized));
    assert.equal(seen.metadata.annotations[kubeletAnnotation], 'fd00::1,10.0.0.1');
    assert.deepEqual([seen.metadata.labels['pool'], seen.spec.providerID], ['a', 'x://1']);
    assert.equal(readyOf(seen)?.status, 'True');
    assert.equal(seen.status.nodeInfo.bootID, kubelet.bootID);
  });

  it('reports only what the manager reads when its detail is scant', async () => {
    const { kubelet, node } = aKubelet({ nodeIP: '10.0.0.1', detail: 'scant' });
    assert.equal((await kubelet.register()).kind, 'created');
    const { metadata, spec, status } = await node();
    assert.deepEqual(metadata.labels, { 'kubernetes.io/hostname': 'n' });
    assert.equal(metadata.annotations[kubeletAnnotation], '10.0.0.1');
    assert.ok(keysOf({ spec }).includes(uninitialized));
    assert.deepEqual([readyOf({ status })?.status, status.conditions.length], ['True', 1]);
    assert.equal(status.nodeInfo.bootID, kubelet.bootID);
    assert.deepEqual(
      [status.capacity, status.daemonEndpoints.kubeletEndpoint.Port],
      [undefined, 0],
    );
  });

  for (const [kind, want] of [
    ['released', '10.0.0.1'],
    ['kep', 'IPv6,10.0.0.1'],
  ] as const) {
    it(`that is ${kind} annotates ${want} for --node-ip=IPv6,10.0.0.1`, async () => {
      const { kubelet, node } = aKubelet({ nodeIP: 'IPv6,10.0.0.1', kind });
      await kubelet.register();
      assert.equal((await node()).metadata.annotations[kubeletAnnotation], want);
    });
  }

  it('does not start with a pair of one family', async () => {
    const { kubelet } = aKubelet({ nodeIP: '10.0.0.1,10.0.0.2' });
    const outcome = await kubelet.register();
    assert.equal(outcome.kind, 'refused');
  });

  it('updates only the annotation of an existing node, not its taints and addresses', async () => {
    const { embedded, kubelet, node } = aKubelet({ nodeIP: '10.0.0.1' });
    await kubelet.register();
    const path = '/api/v1/nodes/n';
    const type = 'application/merge-patch+json';
    await ask(embedded, 'PATCH', path, { spec: { taints: null } }, type);
    const addresses = [{ type: 'InternalIP', address: '10.0.0.9' }];
    await ask(embedded, 'PATCH', `${path}/status`, { status: { addresses } }, type);
    assert.equal((await kubelet.restart({ nodeIP: '10.0.0.2' })).kind, 'found');
    const seen = await node();
    assert.deepEqual([keysOf(seen), seen.status.addresses], [[], addresses]);
    assert.equal(seen.metadata.annotations[kubeletAnnotation], '10.0.0.2');
    await kubelet.restart({ nodeIP: null });
    assert.equal((await node()).metadata.annotations[kubeletAnnotation], undefined);
  });

  it('becomes not Ready and Ready again, and keeps the transition time over heartbeats', async () => {
    const { embedded, kubelet, node } = aKubelet();
    await kubelet.register();
    await embedded.clock.advance(60_000);
    await kubelet.setReady('notReady');
    await embedded.clock.advance(60_000);
    await kubelet.report();
    const condition = readyOf(await node());
    assert.deepEqual(condition, {
      type: 'Ready',
      status: 'False',
      lastHeartbeatTime: '2026-01-01T00:02:00Z',
      lastTransitionTime: '2026-01-01T00:01:00Z',
      reason: 'KubeletNotReady',
      message: 'container runtime is down',
    });
    await kubelet.setReady('ready');
    assert.equal(readyOf(await node())?.status, 'True');
  });

  it('changes only its boot ID in a reboot', async () => {
    const { kubelet, node } = aKubelet();
    await kubelet.register();
    const before = await node();
    await kubelet.reboot();
    const after = await node();
    assert.notEqual(after.status.nodeInfo.bootID, before.status.nodeInfo.bootID);
    assert.equal(after.status.nodeInfo.kubeletVersion, before.status.nodeInfo.kubeletVersion);
    assert.equal(after.metadata.uid, before.metadata.uid);
  });

  it('registers a deleted node again only when it restarts', async () => {
    const { embedded, kubelet, node } = aKubelet();
    await kubelet.register();
    await ask(embedded, 'DELETE', '/api/v1/nodes/n');
    assert.equal((await kubelet.report()).status, 404);
    assert.equal((await node()).code, 404);
    assert.equal((await kubelet.restart()).kind, 'created');
    assert.ok(keysOf(await node()).includes(uninitialized));
  });

  it('reports and renews its lease periodically until it is stopped', async () => {
    const { embedded, kubelet, node } = aKubelet();
    const abort = new AbortController();
    const running = kubelet.run(abort.signal);
    await embedded.clock.advance(305_000);
    assert.partialDeepStrictEqual(readyOf(await node()), {
      status: 'True',
      lastHeartbeatTime: '2026-01-01T00:05:00Z',
    });
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n';
    const { spec } = (await ask(embedded, 'GET', path)).body;
    assert.deepEqual([spec.holderIdentity, spec.renewTime], ['n', '2026-01-01T00:05:00.000000Z']);
    abort.abort();
    await running;
    assert.equal(embedded.clock.pending, 0);
  });

  it('sends no report after its registration, which is its first report', async () => {
    const { embedded, kubelet } = aKubelet();
    const asked: string[] = [];
    const send = embedded.transport.send.bind(embedded.transport);
    embedded.transport.send = (request) => {
      asked.push(`${request.method} ${request.path.split('/').slice(-2).join('/')}`);
      return send(request);
    };
    const abort = new AbortController();
    const running = kubelet.run(abort.signal);
    await embedded.clock.advance(15_000);
    abort.abort();
    await running;
    assert.deepEqual(asked, ['POST v1/nodes', 'POST kube-node-lease/leases', 'PATCH leases/n']);
  });

  it('renews an existing lease, and creates a deleted one again', async () => {
    const { embedded, kubelet } = aKubelet();
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const renewTime = async () => (await ask(embedded, 'GET', `${path}/n`)).body.spec.renewTime;
    await ask(embedded, 'POST', path, { metadata: { name: 'n' }, spec: { holderIdentity: 'n' } });
    assert.equal((await kubelet.renewLease()).status, 200);
    assert.equal(await renewTime(), '2026-01-01T00:00:00.000000Z');
    await embedded.clock.advance(10_000);
    assert.equal((await kubelet.renewLease()).status, 200);
    await ask(embedded, 'DELETE', `${path}/n`);
    assert.equal((await kubelet.renewLease()).status, 201);
    assert.equal(await renewTime(), '2026-01-01T00:00:10.000000Z');
  });
});

const machine = { IPv4: '192.0.2.7', IPv6: '2001:db8::7' };

const reported: readonly [
  nodeIP: string | null,
  kind: 'kep' | 'released',
  want: string[] | null,
][] = [
  [null, 'released', []],
  ['', 'released', []],
  ['0.0.0.0', 'released', ['192.0.2.7']],
  ['::', 'released', ['2001:db8::7']],
  ['10.0.0.1', 'kep', ['10.0.0.1']],
  ['fd00::1, 10.0.0.1', 'released', ['fd00::1', '10.0.0.1']],
  ['IPv6', 'kep', []],
  ['IPv6,10.0.0.1', 'kep', []],
  ['IPv6,10.0.0.1', 'released', ['10.0.0.1']],
  ['127.0.0.1', 'released', null],
];

describe('the addresses that a kubelet reports before the manager writes any', () => {
  for (const [nodeIP, kind, want] of reported) {
    it(`for --node-ip=${nodeIP} (${kind}) are ${want?.join(' and ') ?? 'not touched'}`, () => {
      const outcome = runKubelet(nodeIP, kind);
      const addresses = reportedAddresses(outcome, { hostname: 'n', nodeIP, machine });
      const internal = addresses?.filter(({ type }) => type === 'InternalIP');
      assert.deepEqual(internal?.map(({ address }) => address) ?? null, want);
      assert.deepEqual(addresses?.at(-1) ?? null, want && { type: 'Hostname', address: 'n' });
    });
  }
});
