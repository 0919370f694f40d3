import assert from 'node:assert/strict';
import { NodeWorld } from './node-world.fixture.ts';

const hourMs = 3_600_000;

describe('a converged cluster', () => {
  it('sees no write for hours, through heartbeats and refreshes (P5)', async () => {
    const world = new NodeWorld();
    const names = Array.from({ length: 5 }, (_, number) => `n${number}`);
    for (const name of names) world.addMachine({ name });
    const manager = world.start();
    await world.clock.advance(5_000);
    const [writes, events, lines] = [
      world.writes.length,
      world.events().length,
      manager.log.length,
    ];
    assert.equal(writes, 2 * names.length);
    const { lookups } = world.cloud.counts;
    for (let minute = 0; minute < 3 * 60; minute += 5) {
      for (const name of names) world.heartbeat(name);
      await world.clock.advance(5 * 60_000);
    }
    assert.equal(world.writes.length, writes);
    assert.equal(world.events().length, events);
    assert.equal(manager.log.length, lines, 'a steady cluster logs nothing');
    assert.equal(world.cloud.counts.lookups, lookups + 36);
    assert.equal(world.gets.length, 0);
  });

  it('costs one plan per node and period, and none for heartbeats or the manager’s own writes', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const manager = world.start();
    await world.clock.advance(5_000);
    const worked = (): Promise<number> =>
      manager.metric('workqueue_work_duration_seconds_count{name="Nodes"}');
    // One for the new node and one for the cloud’s answer. The echoes of its two writes wake no
    // node.
    assert.equal(await worked(), 2);
    for (let beat = 0; beat < 50; beat++) world.heartbeat('a');
    await world.clock.advance(5 * 60_000);
    assert.equal(await worked(), 3);
  });

  it('is looked up in full calls, spread over the period', async () => {
    const world = new NodeWorld();
    for (let number = 0; number < 501; number++) world.addReady(`n${number}`);
    world.start({ refreshPeriodMs: 300_000 });
    await world.clock.advance(1_000);
    assert.equal(world.cloud.counts.lookups, 2);
    const calls: number[] = [];
    for (let tick = 0; tick < 30; tick++) {
      const { lookups } = world.cloud.counts;
      await world.clock.advance(10_000);
      if (world.cloud.counts.lookups > lookups) calls.push(world.cloud.counts.lookups - lookups);
    }
    assert.deepEqual(calls, [1, 1]);
    assert.deepEqual(world.writes, []);
  });
});

describe('a change of a running node’s instance', () => {
  it('is written to the node within the period', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const manager = world.start();
    await world.clock.advance(hourMs);
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await world.clock.advance(300_000);
    assert.deepEqual(world.node('a').addresses, ['InternalIP 10.9.9.9', 'Hostname a']);
    assert.equal(await manager.metric('tandem_node_address_changes_total'), 1);
    const changed = world.events('a').find(({ reason }) => reason === 'AddressesChanged');
    assert.match(
      changed?.note ?? '',
      / to InternalIP 10\.9\.9\.9 and Hostname a \(SS IPv4\)\. They follow the cloud's list, because there is no request\.$/,
    );
  });

  const comebacks = {
    'a boot': (world: NodeWorld) =>
      world.change('a', (node) => ({
        ...node,
        status: { ...Object(node['status']), nodeInfo: { bootID: 'boot-2' } },
      })),
    'coming back to Ready': (world: NodeWorld) => {
      for (const status of ['False', 'True']) {
        const conditions = [{ type: 'Ready', status, lastTransitionTime: '2026-03-01T13:00:00Z' }];
        world.change('a', (node) => ({
          ...node,
          status: { ...Object(node['status']), conditions },
        }));
      }
    },
  };
  for (const [name, comeBack] of Object.entries(comebacks)) {
    it(`is looked up at once after ${name}`, async () => {
      const world = new NodeWorld();
      world.addMachine({ name: 'a' });
      world.start();
      await world.clock.advance(10_000);
      world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
      comeBack(world);
      await world.clock.advance(500);
      assert.deepEqual(world.node('a').addresses, ['InternalIP 10.9.9.9', 'Hostname a']);
    });
  }
});

describe('a foreign change of a running node', () => {
  it('is undone within half a second: its addresses and its zone label', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    world.start();
    await world.clock.advance(10_000);
    const { addresses } = world.node('a');
    world.change('a', (node) => ({
      ...node,
      metadata: {
        ...node.metadata,
        labels: { ...Object(node.metadata['labels']), 'topology.kubernetes.io/zone': 'elsewhere' },
      },
      status: {
        ...Object(node['status']),
        addresses: [
          { type: 'InternalIP', address: '10.66.66.66' },
          { type: 'Hostname', address: 'a' },
        ],
      },
    }));
    await world.clock.advance(500);
    assert.deepEqual(world.node('a').addresses, addresses);
    assert.equal(world.node('a').labels['topology.kubernetes.io/zone'], 'zone-1');
    assert.equal(world.cloud.counts.lookups, 1);
  });
});
