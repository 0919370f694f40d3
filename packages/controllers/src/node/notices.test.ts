import assert from 'node:assert/strict';
import { NodeWorld } from './node-world.fixture.ts';

const other = [{ type: 'InternalIP', address: '10.9.9.9' }];
const telling = { cloud: { tellsChanges: true } };
const hasOther = (world: NodeWorld, name: string): boolean =>
  world.node(name).addresses.includes('InternalIP 10.9.9.9');

describe('a notice of the cloud', () => {
  it('updates a settled node within a second, which otherwise waits for the poll', async () => {
    for (const tellsChanges of [true, false]) {
      const world = new NodeWorld({ cloud: { tellsChanges } });
      world.addReady('a');
      world.start();
      await world.clock.advance(10_000);
      world.cloud.readdress('a', other);
      await world.clock.advance(1_000);
      assert.equal(hasOther(world, 'a'), tellsChanges);
      await world.clock.advance(300_000);
      assert.ok(hasOther(world, 'a'), 'the poll finds it either way');
    }
  });

  it('has a node initialised within a second of its instance being created', async () => {
    const world = new NodeWorld(telling);
    world.addNode({ name: 'a' });
    const manager = world.start();
    await world.clock.advance(600_000);
    assert.equal(manager.controller.states()?.get('refused: InstanceNotFound'), 1);
    world.cloud.create({ name: 'a' });
    await world.clock.advance(1_000);
    assert.ok(world.node('a').isInitialised);
  });

  it('has only the named nodes looked up, and those without an instance', async () => {
    const world = new NodeWorld(telling);
    for (const name of ['a', 'b', 'c']) world.addReady(name);
    world.addNode({ name: 'missing' });
    world.start();
    await world.clock.advance(10_500);
    const { lookups, nodes } = world.cloud.counts;
    world.cloud.readdress('b', other);
    await world.clock.advance(1_000);
    assert.ok(hasOther(world, 'b'));
    assert.deepEqual(
      [world.cloud.counts.lookups - lookups, world.cloud.counts.nodes - nodes],
      [1, 2],
    );
  });

  it('causes no write if nothing changed, however many notices arrive (P5)', async () => {
    const world = new NodeWorld(telling);
    for (const name of ['a', 'b', 'c']) world.addReady(name);
    const manager = world.start();
    await world.clock.advance(10_000);
    const { lookups } = world.cloud.counts;
    for (let minute = 0; minute < 30; minute++) {
      world.cloud.start('b');
      await world.clock.advance(60_000);
    }
    assert.deepEqual(world.writes, []);
    assert.deepEqual(world.events(), []);
    // One look-up for each notice, and a refresh of three nodes every five minutes.
    assert.ok(world.cloud.counts.lookups - lookups <= 30 + 6 * 3);
    assert.equal(manager.controller.remembered, 3);
  });

  it('decides nothing: if the look-up fails, the node stays as it is (P3)', async () => {
    const world = new NodeWorld(telling);
    world.addReady('a');
    world.start();
    await world.clock.advance(10_000);
    const before = world.node('a');
    world.cloud.set({ refusesCredentials: true });
    world.cloud.terminate('a');
    await world.clock.advance(5_000);
    assert.deepEqual(world.node('a'), before);
    assert.deepEqual(world.events('a'), [], 'one failure is not worth a warning');
  });

  it('causes a look-up that accepts no cached answer from before the notice', async () => {
    const world = new NodeWorld({ cloud: { tellsChanges: true, keepsCopies: true } });
    world.addReady('a');
    world.start();
    await world.clock.advance(10_000);
    world.cloud.readdress('a', other);
    await world.clock.advance(1_000);
    assert.ok(hasOther(world, 'a'));
  });

  it('during a look-up has the node looked up again', async () => {
    const latencyMs = { min: 3_000, max: 3_000 };
    const world = new NodeWorld({ cloud: { tellsChanges: true, latencyMs } });
    world.addReady('a');
    world.start();
    // The first look-up is done; the next one is in flight when the notice arrives.
    await world.clock.advance(4_000);
    world.annotate('a', { 'tandem.dev/node-ip': 'IPv4' });
    await world.clock.advance(500);
    world.cloud.readdress('a', other);
    await world.clock.advance(7_000);
    assert.deepEqual(
      world.node('a').addresses.filter((text) => text.startsWith('InternalIP')),
      ['InternalIP 10.9.9.9'],
    );
  });

  it('does not cause a look-up of a paused node', async () => {
    const world = new NodeWorld(telling);
    world.addReady('a');
    world.annotate('a', { 'tandem.dev/paused': 'true' });
    world.start();
    await world.clock.advance(10_000);
    const { lookups } = world.cloud.counts;
    world.cloud.readdress('a', other);
    await world.clock.advance(10_000);
    assert.equal(world.cloud.counts.lookups, lookups);
  });
});
