import assert from 'node:assert/strict';
import type { LookupAnswer, NodeRef } from '@tandem/provider/plug';
import { NodeWorld } from './node-world.fixture.ts';

const unmanagedLabel = 'example.com/unmanaged';
const unmanaged = { [unmanagedLabel]: 'true' };
const minuteMs = 60_000;

describe('a node that the cloud reports as not its own', () => {
  const states = (manager: ReturnType<NodeWorld['start']>): Record<string, number> =>
    Object.fromEntries(manager.controller.states() ?? []);

  it('is left alone without an event, and counted as not ours', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
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

  it('is looked up again every minute', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a', labels: unmanaged });
    world.start();
    await world.clock.advance(5_000);
    const { lookups } = world.cloud.counts;
    assert.equal(lookups, 1);
    await world.clock.advance(3 * minuteMs);
    assert.equal(world.cloud.counts.lookups, lookups + 3);
  });

  it('is initialised within a second when its label is removed', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a', labels: unmanaged });
    const manager = world.start();
    await world.clock.advance(5_000);
    world.relabel('a', { os: 'linux' });
    await world.clock.advance(1_000);
    assert.ok(world.node('a').isInitialised);
    assert.deepEqual(states(manager), { initialised: 1 });
  });

  it('stays not ours while look-ups fail', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a', labels: unmanaged });
    const manager = world.start();
    await world.clock.advance(5_000);
    world.cloud.set({ refusesCredentials: true });
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.events('a'), []);
    assert.deepEqual(states(manager), { 'not ours': 1 });
  });

  it('keeps the addresses that it got while it was ours', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
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

describe('a label by which a managed node stops being ours', () => {
  it('stops writes to the node within a second', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
    world.addReady('a');
    const manager = world.start();
    await world.clock.advance(10_000);
    const { addresses, labels } = world.node('a');
    world.relabel('a', { ...labels, ...unmanaged });
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await world.clock.advance(1_000);
    assert.deepEqual(Object.fromEntries(manager.controller.states() ?? []), { 'not ours': 1 });
    await world.clock.advance(10 * minuteMs);
    assert.deepEqual(world.node('a').addresses, addresses);
    assert.deepEqual([world.writes, world.events('a')], [[], []]);
  });

  it('counts although a call is in flight that began before the change', async () => {
    const latencyMs = { min: 3_000, max: 3_000 };
    const world = new NodeWorld({ cloud: { unmanagedLabel, latencyMs } });
    world.addMachine({ name: 'a' });
    world.start();
    await world.clock.advance(1_000);
    world.relabel('a', unmanaged);
    await world.clock.advance(10_000);
    assert.equal(world.node('a').isInitialised, false);
    assert.equal(world.cloud.counts.lookups, 2);
  });

  it('counts for a question that is queued and not sent', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
    world.addMachine({ name: 'a' });
    world.start();
    // The question waits for others to share its call.
    await world.clock.advance(5);
    assert.equal(world.cloud.counts.lookups, 0);
    world.relabel('a', unmanaged);
    await world.clock.advance(10_000);
    assert.equal(world.node('a').isInitialised, false);
    assert.equal(world.cloud.counts.lookups, 1);
  });

  it('counts after an outage of the cloud, and nothing is written meanwhile', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
    world.addReady('a');
    const manager = world.start();
    await world.clock.advance(10_000);
    world.cloud.set({ refusesCredentials: true });
    world.relabel('a', { ...world.node('a').labels, ...unmanaged });
    world.cloud.readdress('a', [{ type: 'InternalIP', address: '10.9.9.9' }]);
    await world.clock.advance(minuteMs);
    world.cloud.set({ refusesCredentials: false });
    await world.clock.advance(minuteMs);
    assert.deepEqual(world.writes, []);
    assert.deepEqual(Object.fromEntries(manager.controller.states() ?? []), { 'not ours': 1 });
  });

  it('that was added during a pause counts after the pause', async () => {
    const world = new NodeWorld({ cloud: { unmanagedLabel } });
    world.addReady('a');
    world.start();
    await world.clock.advance(10_000);
    world.annotate('a', { 'tandem.dev/paused': 'true' });
    await world.clock.advance(1_000);
    const { lookups } = world.cloud.counts;
    world.relabel('a', { ...world.node('a').labels, ...unmanaged });
    await world.clock.advance(1_000);
    assert.equal(world.cloud.counts.lookups, lookups, 'a paused node is not looked up');
    const changed = { 'tandem.dev/paused': null, 'tandem.dev/node-ip': 'IPv6' };
    world.annotate('a', changed);
    await world.clock.advance(10_000);
    assert.deepEqual(world.writes, []);
  });
});

describe('a look-up', () => {
  const lookupsAfter = async (world: NodeWorld, change: () => void): Promise<number> => {
    const { lookups } = world.cloud.counts;
    change();
    await world.clock.advance(1_000);
    return world.cloud.counts.lookups - lookups;
  };

  it('is made for a changed label, but not for a change that the cloud does not read', async () => {
    const world = new NodeWorld();
    world.addReady('a');
    world.start();
    await world.clock.advance(10_000);
    const zone = { 'topology.kubernetes.io/zone': 'elsewhere' };
    const changes: readonly { name: string; change: () => void; want: number }[] = [
      { name: 'a heartbeat', change: () => world.heartbeat('a'), want: 0 },
      {
        name: 'a cordon',
        change: () =>
          world.change('a', (node) => ({
            ...node,
            spec: { ...Object(node['spec']), unschedulable: true },
          })),
        want: 0,
      },
      { name: 'an annotation', change: () => world.annotate('a', { note: 'x' }), want: 0 },
      {
        name: 'a label that the cloud decides',
        change: () => world.relabel('a', { ...world.node('a').labels, ...zone }),
        want: 0,
      },
      {
        name: 'a label of the operator',
        change: () => world.relabel('a', { ...world.node('a').labels, pool: 'blue' }),
        want: 1,
      },
      {
        name: 'another value of that label',
        change: () => world.relabel('a', { ...world.node('a').labels, pool: 'red' }),
        want: 1,
      },
    ];
    for (const { name, change, want } of changes) {
      assert.equal(await lookupsAfter(world, change), want, name);
    }
  });

  it('is made once for labels that many nodes get at once', async () => {
    const world = new NodeWorld();
    const names = Array.from({ length: 50 }, (_, number) => `n${number}`);
    for (const name of names) world.addReady(name);
    world.start();
    await world.clock.advance(10_000);
    const relabel = (): void =>
      names.forEach((name) => world.relabel(name, { ...world.node(name).labels, pool: 'blue' }));
    assert.equal(await lookupsAfter(world, relabel), 1);
  });

  it('is not made for labels that the manager writes itself', async () => {
    const world = new NodeWorld({
      provider: (cloud) => ({
        name: cloud.name,
        identify: (providerID) => cloud.identify(providerID),
        async lookup(nodes, options) {
          const answers = await cloud.lookup(nodes, options);
          return new Map(Array.from(answers, ([name, answer]) => [name, withRack(answer)]));
        },
      }),
    });
    world.addMachine({ name: 'a' });
    world.start();
    await world.clock.advance(minuteMs);
    assert.equal(world.node('a').labels['example.com/rack'], 'r1');
    assert.equal(world.cloud.counts.lookups, 1);
  });
});

/** The instance with a label that is not Kubernetes' own. */
function withRack(answer: LookupAnswer): LookupAnswer {
  if (answer.kind !== 'found') return answer;
  return { ...answer, instance: { ...answer.instance, labels: { 'example.com/rack': 'r1' } } };
}

describe('a node that is looked up', () => {
  it('is passed to the provider with its labels and systemUUID', async () => {
    const asked: NodeRef[] = [];
    const world = new NodeWorld({
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
