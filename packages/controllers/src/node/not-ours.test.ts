import assert from 'node:assert/strict';
import type { NodeRef } from '@tandem/provider/plug';
import { World } from './world.fixture.ts';

const unmanagedLabel = 'example.com/unmanaged';
const unmanaged = { [unmanagedLabel]: 'true' };
const minuteMs = 60_000;

describe('a node that the cloud says is none of its own', () => {
  const states = (manager: ReturnType<World['start']>): Record<string, number> =>
    Object.fromEntries(manager.controller.states() ?? []);

  it('is left alone without a word, and counted as not ours', async () => {
    const world = new World({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a', labels: unmanaged });
    world.addMachine({ name: 'b' });
    const manager = world.start();
    await world.clock.advance(10 * minuteMs);
    assert.equal(world.node('a').isInitialised, false);
    assert.deepEqual(world.events('a'), []);
    assert.deepEqual(
      world.writes.filter((write) => write.includes(' a')),
      [],
    );
    assert.deepEqual(states(manager), { initialised: 1, 'not ours': 1 });
    assert.deepEqual(manager.messages('warn'), []);
    assert.equal(await manager.metric('tandem_uninitialized_nodes{reason="not_ours"}'), 1);
    assert.equal(await manager.metric('tandem_refused_nodes{code="InstanceNotFound"}'), 0);
  });

  it('is asked about again every minute', async () => {
    const world = new World({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a', labels: unmanaged });
    world.start();
    await world.clock.advance(5_000);
    const { lookups } = world.cloud.counts;
    assert.equal(lookups, 1);
    await world.clock.advance(3 * minuteMs);
    assert.equal(world.cloud.counts.lookups, lookups + 3);
  });

  it('is initialised within a second when its label goes', async () => {
    const world = new World({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a', labels: unmanaged });
    const manager = world.start();
    await world.clock.advance(5_000);
    world.relabel('a', { os: 'linux' });
    await world.clock.advance(1_000);
    assert.ok(world.node('a').isInitialised);
    assert.deepEqual(states(manager), { initialised: 1 });
  });

  it('stays so while the cloud cannot be asked', async () => {
    const world = new World({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a', labels: unmanaged });
    const manager = world.start();
    await world.clock.advance(5_000);
    world.cloud.set({ refusesCredentials: true });
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.events('a'), []);
    assert.deepEqual(states(manager), { 'not ours': 1 });
  });

  it('keeps what it has when it was ours before', async () => {
    const world = new World({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a' });
    const manager = world.start();
    await world.clock.advance(5_000);
    const { addresses } = world.node('a');
    const { length } = world.writes;
    world.relabel('a', unmanaged);
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.node('a').addresses, addresses);
    assert.equal(world.writes.length, length);
    assert.deepEqual(states(manager), { 'not ours': 1 });
  });
});

describe('a node that is asked about', () => {
  it('is shown to the provider with its labels and what its firmware calls it', async () => {
    const asked: NodeRef[] = [];
    const world = new World({
      provider: (cloud) => ({
        name: cloud.name,
        identify: (providerID) => cloud.identify(providerID),
        async lookup(nodes, options) {
          asked.push(...nodes);
          return cloud.lookup(nodes, options);
        },
      }),
    });
    world.addMachine({ name: 'a', labels: { pool: 'blue' } });
    world.change('a', (node) => ({
      ...node,
      status: { ...Object(node['status']), nodeInfo: { systemUUID: 'machine-7' } },
    }));
    world.start();
    await world.clock.advance(1_000);
    const [first] = asked;
    assert.deepEqual(
      { name: first?.name, labels: first?.labels, systemUUID: first?.systemUUID },
      { name: 'a', labels: { pool: 'blue' }, systemUUID: 'machine-7' },
    );
  });
});
