import assert from 'node:assert/strict';
import { NodeWorld } from './node-world.fixture.ts';

describe('a new node', () => {
  it('is initialised with two writes, no read and one call to the cloud', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const manager = world.start();
    await world.clock.advance(1_000);
    const { addresses, isInitialised, providerID, labels } = world.node('a');
    assert.ok(isInitialised);
    assert.deepEqual(addresses, ['InternalIP 10.100.0.1', 'InternalIP fd00:100::1', 'Hostname a']);
    assert.equal(providerID, world.cloud.find('a')?.providerID);
    assert.equal(labels['topology.kubernetes.io/zone'], 'zone-1');
    assert.equal(labels['os'], 'linux');
    assert.deepEqual(world.writes, ['PATCH a/status', 'PATCH a']);
    assert.deepEqual(world.gets, []);
    assert.equal(world.cloud.counts.lookups, 1);
    await manager.stop();
    assert.equal(world.clock.pending, 0, 'a timer was left behind');
  });

  it('gets one event, which begins as upstream’s does', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', annotations: { 'tandem.dev/node-ip': 'IPv6,IPv4' } });
    world.start();
    await world.clock.advance(1_000);
    assert.deepEqual(world.events(), [
      {
        node: 'a',
        type: 'Normal',
        reason: 'Synced',
        action: 'InitializeNode',
        note: 'Node synced successfully: InternalIP fd00:100::1, InternalIP 10.100.0.1 and Hostname a (DS IPv6-primary). tandem.dev/node-ip requests "IPv6,IPv4".',
        count: 1,
      },
    ]);
  });

  it('is counted with its age in upstream’s metrics', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a', createdAtMs: world.clock.now() - 10_000 });
    const manager = world.start();
    await world.clock.advance(2_000);
    for (const name of [
      'node_controller_cloud_provider_taint_removal_delay_seconds',
      'node_controller_initial_node_sync_delay_seconds',
    ]) {
      assert.equal(await manager.metric(`${name}_bucket{le="4"}`), 0);
      assert.equal(await manager.metric(`${name}_bucket{le="16"}`), 1);
    }
    const applied = (action: string): Promise<number> =>
      manager.metric(`tandem_node_writes_total{action="${action}",outcome="applied"}`);
    assert.equal(await applied('writeAddresses'), 1);
    assert.equal(await applied('initialise'), 1);
    assert.equal(await manager.metric('workqueue_depth{name="Nodes"}'), 0);
  });

  it('keeps its providerID and its other taints', async () => {
    const world = new NodeWorld();
    const instance = world.cloud.create({ name: 'elsewhere' });
    const taints = [
      { key: 'mine', effect: 'NoSchedule' },
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
      { key: 'other', effect: 'NoExecute' },
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoExecute' },
    ];
    world.addNode({ name: 'a', taints, providerID: instance.providerID });
    world.start();
    await world.clock.advance(1_000);
    assert.deepEqual(world.node('a').taints, ['mine', 'other']);
    assert.equal(world.node('a').providerID, instance.providerID);
  });

  it('is initialised without a warning when the cloud shows its instance seconds later', async () => {
    const world = new NodeWorld({ cloud: { lagMsMax: 4_000 }, seed: 'lag' });
    for (let number = 0; number < 20; number++) world.addMachine({ name: `n${number}` });
    world.start();
    await world.clock.advance(11_000);
    assert.ok(world.names().every((name) => world.node(name).isInitialised));
    assert.ok(world.events().every(({ type }) => type === 'Normal'));
    assert.ok(world.cloud.counts.lookups <= 3, `${world.cloud.counts.lookups} calls`);
  });

  it('is read and written again when the guard of a write fails', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const addTaint = (): void =>
      world.change('a', (node) => ({
        ...node,
        spec: {
          taints: [
            { key: 'new', effect: 'NoSchedule' },
            { key: 'old', effect: 'NoSchedule' },
          ].concat([
            { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
          ]),
        },
      }));
    world.start({
      wrap: (inner) => ({
        async send(request) {
          // The taint appears between the first write and the second.
          const isSecond = request.method === 'PATCH' && !request.path.includes('/status');
          if (isSecond && !world.node('a').taints.includes('new')) addTaint();
          return inner.send(request);
        },
        close: () => inner.close(),
      }),
    });
    await world.clock.advance(1_000);
    assert.deepEqual(world.node('a').taints, ['new', 'old']);
    assert.deepEqual(world.writes, ['PATCH a/status', 'PATCH a', 'PATCH a']);
    assert.equal(world.gets.length, 1);
  });
});

describe('many new nodes at once', () => {
  it('take two writes each, no read, and one call to the cloud for all of them', async () => {
    const world = new NodeWorld();
    const count = 60;
    for (let number = 0; number < count; number++) world.addMachine({ name: `n${number}` });
    world.start({ workers: 16 });
    await world.clock.advance(1_000);
    assert.ok(world.names().every((name) => world.node(name).isInitialised));
    assert.equal(world.writes.length, 2 * count);
    assert.equal(world.gets.length, 0);
    assert.equal(world.cloud.counts.lookups, 1);
  });

  it('take one call to the cloud for every 500 nodes', async () => {
    const world = new NodeWorld({ cloud: { adoptsNodes: true, pageSize: 1_000 } });
    for (let number = 0; number < 501; number++) world.addNode({ name: `n${number}` });
    const manager = world.start({ mode: 'dryRun' });
    await world.clock.advance(1_000);
    assert.equal(await manager.metric('tandem_dry_run_writes_total{action="initialise"}'), 501);
    assert.equal(world.cloud.counts.lookups, 2);
  });
});
