import assert from 'node:assert/strict';
import { LifecycleWorld } from './lifecycle-world.fixture.ts';
import { providerIDOf } from './scripted-cloud.fixture.ts';

const minuteMs = 60_000;

/** A NotReady node that was found so often that it is looked up only every minute. */
async function aQuietNode(): Promise<LifecycleWorld> {
  const world = new LifecycleWorld();
  world.addNode({ name: 'n' });
  world.start();
  await world.clock.advance(30 * minuteMs);
  return world;
}

describe('a notice that an instance may have changed', () => {
  it('has the node looked up in the next pass, and deletes nothing by itself', async () => {
    const world = await aQuietNode();
    const { lookups } = world.cloud;
    world.cloud.hint([providerIDOf('n')]);
    await world.clock.advance(6_000);
    assert.equal(world.cloud.lookups, lookups + 1);
    await world.clock.advance(5 * minuteMs);
    assert.deepEqual(world.names(), ['n']);
  });

  it('speeds up the deletion of a node whose instance is gone', async () => {
    for (const tells of [true, false]) {
      const world = await aQuietNode();
      await world.clock.advance(1_000);
      world.cloud.remove(providerIDOf('n'));
      if (tells) world.cloud.hint([]);
      await world.clock.advance(28_000);
      assert.deepEqual(world.names(), tells ? [] : ['n']);
      await world.clock.advance(2 * minuteMs);
      assert.deepEqual(world.names(), []);
    }
  });

  it('about another instance causes no look-up of the node', async () => {
    const world = await aQuietNode();
    const { lookups } = world.cloud;
    world.cloud.hint([providerIDOf('m')]);
    await world.clock.advance(10_000);
    assert.equal(world.cloud.lookups, lookups);
  });
});
