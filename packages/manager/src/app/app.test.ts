import assert from 'node:assert/strict';
import type { KubeTransport } from '@tandem/kube/transport';
import type { Provider } from '@tandem/provider/plug';
import { AppWorld } from './app-world.fixture.ts';
import { putObject } from '../../../../test/support/embedded-api.ts';

const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

describe('the manager', () => {
  it('acquires the Lease, initialises nodes, and releases the Lease when it stops', async () => {
    const world = new AppWorld();
    world.addMachine('node-1');
    const app = world.start('a');
    await world.clock.advance(5_000);
    assert.ok(world.isInitialised('node-1'));
    assert.equal(app.app.status().election?.role, 'leader');
    assert.ok(app.app.status().isWorking);
    assert.equal(app.app.leaderText(), `${app.app.identity} (this manager)`);
    assert.equal(await app.stop(), 'stopped');
    assert.equal(holder(world), '');
  });

  it('writes nothing as a standby, keeps its cache, and takes over at once when the leader stops', async () => {
    const world = new AppWorld();
    const leader = world.start('a');
    await world.clock.advance(5_000);
    const standby = world.start('b');
    await world.clock.advance(60_000);
    assert.deepEqual(standby.writes, []);
    assert.ok(standby.app.status().nodes.isSynced);
    assert.equal(standby.app.status().election?.role, 'standby');
    assert.equal(standby.app.leaderText(), leader.app.identity);

    await leader.stop();
    world.addMachine('node-1');
    await world.clock.advance(2_000);
    assert.ok(world.isInitialised('node-1'));
    await standby.stop();
  });

  it('does not log that another manager leads when it only finds a holder in the Lease', async () => {
    const world = new AppWorld();
    world.holdLease('other_2');
    const app = world.start('a');
    await world.clock.advance(10_000);
    assert.deepEqual(
      app.log.filter((msg) => msg.includes('Lease')),
      ['Lease is not free; waiting as standby until it is released or no longer renewed'],
    );
    await world.clock.advance(10_000);
    assert.equal(app.app.status().election?.role, 'leader');
    await app.stop();
  });

  it('writes nothing in a dry run, not even a Lease or an event', async () => {
    const world = new AppWorld();
    world.addMachine('node-1');
    const app = world.start('a', { args: ['--dry-run'] });
    await world.clock.advance(120_000);
    assert.deepEqual(app.writes, []);
    assert.ok(!world.isInitialised('node-1'));
    assert.match(app.log.join('\n'), /Would/);
    assert.equal(await app.stop(), 'stopped');
    assert.deepEqual(app.writes, []);
  });

  it('counts nodes by state: the leader knows refusals, a standby only initialised and waiting', async () => {
    const world = new AppWorld();
    for (const name of ['a', 'b', 'c']) world.addMachine(name);
    world.cloud.terminate('c');
    const app = world.start('a');
    assert.equal(app.app.nodeStates(), undefined);
    await world.clock.advance(20_000);
    const standby = world.start('b');
    await world.clock.advance(5_000);
    const states = (of: typeof app) => Object.fromEntries(of.app.nodeStates() ?? []);
    assert.deepEqual(states(app), { initialised: 2, 'refused: InstanceNotFound': 1 });
    assert.deepEqual(states(standby), { initialised: 2, waiting: 1 });
    await app.stop();
    await standby.stop();
  });

  it('counts the nodes that need routes if it manages routes', async () => {
    const range = '--cluster-cidr=10.244.0.0/16';
    const cases = [
      { args: [range], want: 2 },
      { args: [range, '--allocate-node-cidrs'], want: 2 },
      { args: [range, '--configure-cloud-routes=false'], want: undefined },
      // The cloud itself routes the pod CIDRs that it assigns.
      {
        args: [range, '--allocate-node-cidrs', '--cidr-allocator-type=CloudAllocator'],
        want: undefined,
      },
      { args: [], want: undefined },
    ];
    for (const { args, want } of cases) {
      const world = new AppWorld();
      for (const name of ['a', 'b']) world.addMachine(name);
      const started = world.start('a', { args });
      const { app } = started;
      assert.equal(app.countRoutedNodes?.(), undefined);
      await world.clock.advance(1_000);
      assert.equal(app.countRoutedNodes?.(), want, args.join(' '));
      await started.stop();
    }
  });

  it('shows the status of its controllers while it leads', async () => {
    const world = new AppWorld();
    for (const name of ['a', 'b']) world.addMachine(name);
    const args = ['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/24'];
    const leader = world.start('a', { args });
    await world.clock.advance(5_000);
    const standby = world.start('b', { args });
    await world.clock.advance(5_000);
    const [pools, routes] = leader.app.controllerStatus();
    assert.deepEqual(
      pools?.rows.map((row) => [row['bound'], row['waiting nodes']]),
      [[1, 1]],
    );
    assert.deepEqual(
      routes?.rows.map((row) => [row['table'], row['family'], row['ours']]),
      [
        ['main', 'IPv4', 1],
        ['main', 'IPv6', 0],
      ],
    );
    assert.deepEqual(standby.app.controllerStatus(), []);
    await leader.stop();
    assert.deepEqual(leader.app.controllerStatus(), []);
    await standby.stop();
  });

  it('needs no Lease without an election', async () => {
    const world = new AppWorld();
    world.addMachine('node-1');
    const app = world.start('a', { args: ['--leader-elect=false'] });
    await world.clock.advance(5_000);
    assert.ok(world.isInitialised('node-1'));
    assert.ok(!app.writes.some((write) => write.includes(lease)));
    assert.equal(app.app.leaderText(), 'none, leader election is off');
    assert.equal(await app.stop(), 'stopped');
  });

  it('writes nothing once another manager has the Lease, and takes over when that Lease expires', async () => {
    const world = new AppWorld();
    const app = world.start('a');
    await world.clock.advance(5_000);
    takeLease(world, 'somebody');
    await world.clock.advance(10_000);
    assert.match(app.log.join('\n'), /Lost the Lease/);
    assert.equal(app.app.status().election?.role, 'standby');
    const { length } = app.writes;
    world.addMachine('node-1');
    await world.clock.advance(1_000);
    assert.equal(app.writes.length, length);
    assert.ok(!world.isInitialised('node-1'));

    await world.clock.advance(30_000);
    assert.ok(world.isInitialised('node-1'));
    assert.equal(app.app.status().election?.role, 'leader');
    assert.equal(await app.stop(), 'stopped');
  });

  it('forgets the instances of deleted nodes, also as a standby', async () => {
    const world = new AppWorld();
    for (const name of ['node-1', 'node-2']) world.addMachine(name);
    const app = world.start('a');
    await world.clock.advance(5_000);
    const cached = async (): Promise<string> =>
      /tandem_cloud_cached_instances\{.*\} (\d+)/.exec(await app.metrics.render())?.[1] ?? '';
    assert.equal(await cached(), '4');
    world.model.store.collection('nodes').remove('node-1');
    await world.clock.advance(1_000);
    assert.equal(await cached(), '2');
    takeLease(world, 'somebody');
    await world.clock.advance(10_000);
    assert.equal(app.app.status().election?.role, 'standby');
    world.model.store.collection('nodes').remove('node-2');
    await world.clock.advance(1_000);
    assert.equal(await cached(), '0');
    await app.stop();
  });

  it('recovers after the API server was unreachable for longer than the Lease lasts', async () => {
    const world = new AppWorld();
    let isAway = false;
    const app = world.start('a', {
      wrap: (transport) => ({
        send: (request) =>
          isAway ? Promise.reject(new Error('no server today')) : transport.send(request),
        close: () => transport.close(),
      }),
    });
    await world.clock.advance(5_000);
    isAway = true;
    await world.clock.advance(60_000);
    assert.ok(!app.app.status().isWorking);
    isAway = false;
    world.addMachine('node-1');
    await world.clock.advance(60_000);
    assert.ok(world.isInitialised('node-1'));
    assert.equal(await app.stop(), 'stopped');
  });

  for (const role of ['leader', 'standby'] as const) {
    it(`recovers as ${role} after the API server refused its credentials for a while`, async () => {
      const world = new AppWorld();
      const other = role === 'standby' ? world.start('b') : undefined;
      await world.clock.advance(5_000);
      let isUnknown = false;
      const refusing = (transport: KubeTransport): KubeTransport => ({
        send: (request) =>
          isUnknown
            ? Promise.resolve({ status: 401, headers: {}, body: nothing() })
            : transport.send(request),
        close: () => transport.close(),
      });
      const app = world.start('a', { wrap: refusing });
      await world.clock.advance(5_000);
      assert.equal(app.app.status().election?.role, role);
      world.addMachine('node-1');
      isUnknown = true;
      await world.clock.advance(45_000);
      assert.ok(!app.app.status().isWorking);
      isUnknown = false;
      await other?.stop();
      world.addMachine('node-2');
      await world.clock.advance(30_000);
      assert.equal(app.app.status().election?.role, 'leader');
      assert.ok(world.isInitialised('node-1') && world.isInitialised('node-2'));
      assert.equal(await app.stop(), 'stopped');
    });
  }

  it('initialises a node after the API server refused only its writes for a while', async () => {
    const world = new AppWorld();
    let isUnknown = true;
    const app = world.start('a', {
      wrap: (transport) => ({
        send: (request) =>
          isUnknown && request.method === 'PATCH'
            ? Promise.resolve({ status: 401, headers: {}, body: nothing() })
            : transport.send(request),
        close: () => transport.close(),
      }),
    });
    world.addMachine('node-1');
    await world.clock.advance(45_000);
    assert.ok(!world.isInitialised('node-1'));
    isUnknown = false;
    await world.clock.advance(90_000);
    assert.ok(world.isInitialised('node-1'));
    assert.equal(await app.stop(), 'stopped');
  });

  it('runs only the selected controllers, and a metric shows which', async () => {
    const world = new AppWorld();
    const app = world.start('a', { args: ['--controllers=cloud-node'] });
    await world.clock.advance(5_000);
    const running = (await app.metrics.render())
      .split('\n')
      .filter((line) => line.startsWith('running_managed_controllers{'));
    assert.deepEqual(running, [
      'running_managed_controllers{name="cloud-node",manager="cloud-controller-manager"} 1',
    ]);
    await app.stop();
  });

  it('closes the provider when it stops', async () => {
    const world = new AppWorld();
    let closed = 0;
    const provider: Provider = {
      name: 'closing',
      identify: (providerID) => providerID,
      lookup: async () => new Map(),
      close: async () => void closed++,
    };
    const app = world.start('a', { provider });
    await world.clock.advance(5_000);
    assert.equal(closed, 0);
    await app.stop();
    assert.equal(closed, 1);
  });

  it('stops although closing the provider hangs or fails, and logs it', async () => {
    for (const close of [
      () => new Promise<void>(() => {}),
      () => Promise.reject(new Error('not now')),
    ]) {
      const world = new AppWorld();
      const provider: Provider = {
        name: 'clinging',
        identify: (providerID) => providerID,
        lookup: async () => new Map(),
        close,
      };
      const app = world.start('a', { provider });
      await world.clock.advance(5_000);
      assert.equal(await app.stop(), 'stopped');
      assert.match(app.log.join('\n'), /did not close cleanly/);
    }
  });

  it('can be stopped before it has read the list of nodes', async () => {
    const world = new AppWorld();
    const app = world.start('a', {
      wrap: (transport) => ({
        send: (request) =>
          request.path.startsWith('/api/v1/nodes')
            ? Promise.reject(new Error('no nodes today'))
            : transport.send(request),
        close: () => transport.close(),
      }),
    });
    await world.clock.advance(30_000);
    assert.ok(!app.app.status().isWorking);
    assert.match(app.log.join('\n'), /Waiting for the list of nodes/);
    assert.equal(await app.stop(), 'stopped');
    assert.equal(holder(world), '');
  });
});

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Takes the Lease over, as a manager does that considers it expired. */
function takeLease(world: AppWorld, holderIdentity: string): void {
  const [found] = world.model.store.collection('leases').list();
  assert.ok(found !== undefined);
  const spec = { ...Object(found['spec']), holderIdentity };
  putObject(world.model, 'leases', { ...found, spec });
}

function holder(world: AppWorld): unknown {
  const [found] = world.model.store.collection('leases').list();
  return Object(found?.['spec']).holderIdentity;
}
