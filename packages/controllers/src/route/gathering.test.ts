/** Tests that nodes that register together share a batch, and that no node waits long because of it. */
import assert from 'node:assert/strict';
import { blocksOf, type RouteManager, RouteWorld } from './route-world.fixture.ts';

const second = 1_000;

describe('new nodes on a cloud whose table is written as a whole', () => {
  let world: RouteWorld;
  let manager: RouteManager;

  beforeEach(async () => {
    world = new RouteWorld({ limits: { batchSize: 2_000, gatherMsMax: 5 * second } });
    manager = world.start();
    await world.clock.advance(10 * second);
  });

  afterEach(() => manager.stop());

  it('share one batch if they are initialised in bursts within three seconds', async () => {
    const before = world.cloud.routes?.counts ?? assert.fail('no routes');
    register(world, 0, 100);
    // Look-ups with many pages end like this: no node for a while, then many nodes at once.
    for (const [from, to] of [
      [0, 10],
      [10, 60],
      [60, 100],
    ] as const) {
      await world.clock.advance(900);
      initialise(world, from, to);
    }
    await world.clock.advance(second);
    assert.equal(world.routes().length, 200);
    const after = world.cloud.routes?.counts ?? assert.fail('no routes');
    assert.equal(after.applies - before.applies, 1);
    assert.equal(after.lists - before.lists, 2, 'one list for the plan and one for the outcome');
    for (let number = 0; number < 100; number++) {
      assert.equal(world.condition(nameOf(number)), 'False RouteCreated');
    }
  });

  it('get routes at once if no other node is being initialised', async () => {
    register(world, 0, 1);
    await world.clock.advance(900);
    initialise(world, 0, 1);
    await world.clock.advance(150);
    assert.equal(world.routes().length, 2);
  });

  it('stop waiting for a node that is deleted', async () => {
    register(world, 0, 2);
    await world.clock.advance(900);
    initialise(world, 0, 1);
    await world.clock.advance(second);
    assert.deepEqual(world.routes(), []);
    world.removeNode(nameOf(1));
    await world.clock.advance(250);
    assert.equal(world.routes().length, 2);
  });

  it('wait once, and at most five seconds, for a node that is not initialised', async () => {
    register(world, 0, 3);
    await world.clock.advance(900);
    initialise(world, 0, 1);
    await world.clock.advance(4 * second);
    assert.deepEqual(world.routes(), []);
    await world.clock.advance(300);
    assert.equal(world.routes().length, 2);
    initialise(world, 1, 2);
    await world.clock.advance(150);
    assert.equal(world.routes().length, 4);
  });

  it('delay the first of them by five seconds at most, even if more keep coming', async () => {
    register(world, 0, 1);
    for (let number = 0; number < 12; number++) {
      register(world, number + 1, number + 2);
      initialise(world, number, number + 1);
      await world.clock.advance(500);
      assert.equal(world.routes().length > 0, number >= 10, `after ${number + 1} nodes`);
    }
  });
});

/** Adds nodes that have pod CIDRs and an instance but no providerID yet. */
function register(world: RouteWorld, from: number, to: number): void {
  for (let number = from; number < to; number++) {
    const name = nameOf(number);
    const { addresses } = world.cloud.create({ name });
    world.putNode(name, { providerID: '', addresses, podCIDRs: blocksOf(number) });
  }
}

function initialise(world: RouteWorld, from: number, to: number): void {
  for (let number = from; number < to; number++) {
    const providerID = world.cloud.find(nameOf(number))?.providerID;
    world.change(nameOf(number), (node) => ({
      ...node,
      spec: { ...Object(node['spec']), providerID },
    }));
  }
}

const nameOf = (number: number): string => `new-${number}`;
