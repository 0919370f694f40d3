/** Tests that a manager that takes over knows its predecessor's writes before it decides anything (P2, P4). */
import assert from 'node:assert/strict';
import type { KubeTransport, TransportRequest } from '@tandem/kube/transport';
import { sleep } from '@tandem/runtime';
import {
  type GivenObject,
  putObject,
  type StoredObject,
} from '../../../../test/support/embedded-api.ts';
import { AppWorld } from './app-world.fixture.ts';

/** A watch of nodes that delays every event by 30 s while `isLate` is set. */
class LateWatch {
  isLate = false;
  readonly #world: AppWorld;

  constructor(world: AppWorld) {
    this.#world = world;
  }

  readonly wrap = (inner: KubeTransport): KubeTransport => ({
    send: async (request) => {
      const response = await inner.send(request);
      return isNodeWatch(request) ? { ...response, body: this.#late(response.body) } : response;
    },
    close: () => inner.close(),
  });

  async *#late(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      if (this.isLate) await sleep(this.#world.clock, 30_000);
      yield chunk;
    }
  }
}

/** Creates two new Nodes of one instance. Without other writes, the older one gets it. */
function twoClaimants(world: AppWorld): void {
  world.addMachine('elder');
  world.addMachine('younger');
  const providerID = world.cloud.find('elder')?.providerID;
  change(world, 'younger', (node) => ({
    ...node,
    metadata: { ...node.metadata, creationTimestamp: '2026-03-01T12:00:01Z' },
    spec: { ...Object(node['spec']), providerID },
  }));
}

/** Initialises the Node, as the predecessor did. */
function initialise(world: AppWorld, name: string): void {
  change(world, name, (node) => ({
    ...node,
    spec: { ...Object(node['spec']), taints: [] },
    status: { addresses: world.cloud.find('elder')?.addresses },
  }));
}

describe('a manager that takes over', () => {
  for (const how of ['released', 'expired'] as const) {
    it(`gives no instance to a second Node because its cache is late, the Lease ${how}`, async () => {
      const world = new AppWorld();
      world.holdLease('other_2');
      const late = new LateWatch(world);
      const manager = world.start('a', { wrap: late.wrap });
      twoClaimants(world);
      await world.clock.advance(5_000);
      late.isLate = true;
      initialise(world, 'younger');
      if (how === 'released') world.holdLease('');
      await world.clock.advance(how === 'released' ? 3_000 : 20_000);
      assert.equal(manager.app.status().election?.role, 'leader');
      assert.ok(!world.isInitialised('elder'));
      const [event, ...others] = world.events('elder');
      assert.match(event ?? '', /^ProviderIDConflict .*already belongs to Node "younger"/);
      assert.deepEqual(others, []);
      late.isLate = false;
      await world.clock.advance(60_000);
      await manager.stop();
    });
  }

  it('gives no pod CIDR to a second Node because its cache is late, the Lease released', async () => {
    const world = new AppWorld();
    world.holdLease('other_2');
    const late = new LateWatch(world);
    const args = ['--allocate-node-cidrs', '--cluster-cidr=10.0.0.0/22'];
    const manager = world.start('a', { args, wrap: late.wrap });
    world.addMachine('node-1');
    world.addMachine('node-2');
    await world.clock.advance(5_000);
    late.isLate = true;
    const podCIDRs = ['10.0.0.0/24'];
    change(world, 'node-2', (node) => ({
      ...node,
      spec: { ...Object(node['spec']), podCIDR: podCIDRs[0], podCIDRs },
    }));
    world.holdLease('');
    await world.clock.advance(3_000);
    assert.deepEqual(podCIDRsOf(world, 'node-1'), ['10.0.1.0/24']);
    assert.deepEqual(podCIDRsOf(world, 'node-2'), podCIDRs);
    late.isLate = false;
    await world.clock.advance(60_000);
    await manager.stop();
  });

  it('gives no pod CIDR to a second Node because its cache is older than its Lease', async () => {
    const world = new AppWorld();
    const late = new LateWatch(world);
    // The list of nodes does not wait this long for the Lease to be read, so it begins earlier.
    const slow = (inner: KubeTransport): KubeTransport => ({
      send: async (request) => {
        if (request.path.includes('/leases')) await sleep(world.clock, 2_000);
        return inner.send(request);
      },
      close: () => inner.close(),
    });
    const args = ['--allocate-node-cidrs', '--cluster-cidr=10.0.0.0/22'];
    const manager = world.start('a', { args, wrap: (inner) => late.wrap(slow(inner)) });
    world.addMachine('node-1');
    world.addMachine('node-2');
    await world.clock.advance(1_500);
    late.isLate = true;
    const podCIDRs = ['10.0.0.0/24'];
    change(world, 'node-2', (node) => ({
      ...node,
      spec: { ...Object(node['spec']), podCIDR: podCIDRs[0], podCIDRs },
    }));
    await world.clock.advance(5_000);
    assert.deepEqual(podCIDRsOf(world, 'node-1'), ['10.0.1.0/24']);
    late.isLate = false;
    await world.clock.advance(60_000);
    await manager.stop();
  });

  it('gives no pod CIDR to a second Node because its cache is ahead of a restored API server', async () => {
    const world = new AppWorld();
    world.holdLease('other_2');
    const args = ['--allocate-node-cidrs', '--cluster-cidr=10.0.0.0/22'];
    const manager = world.start('a', { args });
    world.addMachine('node-1');
    world.addMachine('node-2');
    const podCIDRs = ['10.0.0.0/24'];
    change(world, 'node-1', (node) => ({
      ...node,
      spec: { ...Object(node['spec']), podCIDR: podCIDRs[0], podCIDRs },
    }));
    const backup = world.model.store.snapshot();
    world.model.store.collection('nodes').remove('node-1');
    for (let lost = 0; lost < 20; lost++) change(world, 'node-2', (node) => node);
    await world.clock.advance(5_000);
    // The first Node is back. The watch shows it only after the manager notices that the watch is silent.
    world.model.store.restore(backup);
    world.holdLease('');
    await world.clock.advance(10_000);
    assert.equal(manager.app.status().election?.role, 'leader');
    assert.equal(podCIDRsOf(world, 'node-2'), undefined);
    await world.clock.advance(180_000);
    assert.deepEqual(podCIDRsOf(world, 'node-1'), podCIDRs);
    assert.deepEqual(podCIDRsOf(world, 'node-2'), ['10.0.1.0/24']);
    await manager.stop();
  });

  it('decides nothing before it has read a list, logs that, and continues once it can', async () => {
    const world = new AppWorld();
    world.holdLease('other_2');
    let isShut = true;
    const wrap = (inner: KubeTransport): KubeTransport => ({
      send: (request) =>
        isShut && isNodeList(request)
          ? Promise.reject(new Error('no list today'))
          : inner.send(request),
      close: () => inner.close(),
    });
    const manager = world.start('a', { wrap });
    world.addMachine('node-1');
    await world.clock.advance(1_000);
    world.holdLease('');
    await world.clock.advance(40_000);
    assert.ok(!world.isInitialised('node-1'));
    const warning = 'Could not list nodes, retrying before anything is decided';
    assert.ok(manager.log.filter((line) => line === warning).length > 2);
    isShut = false;
    await world.clock.advance(15_000);
    assert.ok(world.isInitialised('node-1'));
    assert.equal(await manager.stop(), 'stopped');
  });

  it('can be stopped before it has read a list', async () => {
    const world = new AppWorld();
    world.holdLease('other_2');
    const wrap = (inner: KubeTransport): KubeTransport => ({
      send: (request) => (isNodeList(request) ? new Promise<never>(() => {}) : inner.send(request)),
      close: () => inner.close(),
    });
    const manager = world.start('a', { wrap });
    await world.clock.advance(1_000);
    world.holdLease('');
    await world.clock.advance(5_000);
    assert.equal(manager.app.status().election?.role, 'leader');
    assert.equal(await manager.stop(), 'stopped');
  });

  for (const { name, release } of [
    { name: 'there is no Lease', release: false },
    { name: 'the Lease was released', release: true },
  ]) {
    it(`reads the Lease first and lists the nodes only once when ${name}`, async () => {
      const world = new AppWorld();
      if (release) world.holdLease('');
      world.addMachine('node-1');
      const requests: string[] = [];
      const wrap = (inner: KubeTransport): KubeTransport => ({
        send(request) {
          const { method, path } = request;
          if (path.includes('/leases') && method !== 'GET') requests.push('take the Lease');
          if (isNodeWatch(request)) requests.push('stream');
          if (isNodeList(request)) requests.push('list');
          return inner.send(request);
        },
        close: () => inner.close(),
      });
      const args = ['--allocate-node-cidrs', '--cluster-cidr=10.0.0.0/22'];
      const manager = world.start('a', { args, wrap });
      await world.clock.advance(1_000);
      assert.ok(world.isInitialised('node-1'));
      assert.deepEqual(podCIDRsOf(world, 'node-1'), ['10.0.0.0/24']);
      assert.deepEqual(requests, ['take the Lease', 'stream']);
      await manager.stop();
    });
  }
});

function podCIDRsOf(world: AppWorld, name: string): unknown {
  return Object(world.model.store.collection('nodes').get(name)?.['spec']).podCIDRs;
}

function isNodeWatch({ path }: TransportRequest): boolean {
  return path.startsWith('/api/v1/nodes?') && path.includes('watch=');
}

function isNodeList(request: TransportRequest): boolean {
  return request.path.startsWith('/api/v1/nodes?') && !isNodeWatch(request);
}

function change(world: AppWorld, name: string, to: (node: StoredObject) => GivenObject): void {
  const node = world.model.store.collection('nodes').get(name);
  assert.ok(node !== undefined);
  putObject(world.model, 'nodes', to(structuredClone(node)));
}
