import assert from 'node:assert/strict';
import { RouteWorld } from './route-world.fixture.ts';

const second = 1_000;
const minute = 60_000;

const reasons = ['RouteTableNearlyFull', 'RouteTableFull'];

describe('events about full route tables', () => {
  it('warn above 80 % on the newest node, once, and move when that node is deleted', async () => {
    const world = new RouteWorld({ tables: [{ id: 'main', capacity: 10 }] });
    const manager = world.start();
    for (const name of ['d', 'c', 'b', 'a']) {
      world.addNode(name);
      await world.clock.advance(2 * second);
    }
    assert.deepEqual(world.eventsOf(...reasons), [], '8 of 10 are not above 80 %');
    world.cloud.routes?.addForeign('main', '192.0.2.0/24');
    await world.clock.advance(2 * minute);
    assert.deepEqual(world.eventsOf(...reasons), ['a RouteTableNearlyFull']);
    assert.match(
      world.events().join(),
      /a: Table "main" has 9 of at most 10 routes\. Raise its quota, or new nodes/,
    );
    world.removeNode('a');
    world.cloud.terminate('a');
    world.cloud.routes?.addForeign('main', '198.51.100.0/24');
    world.cloud.routes?.addForeign('main', '203.0.113.0/24');
    await world.clock.advance(2 * minute);
    assert.deepEqual(world.eventsOf(...reasons), [
      'a RouteTableNearlyFull',
      'b RouteTableNearlyFull',
    ]);
    await manager.stop();
  });

  it('name the nodes that wait for a full table, and are not renewed once there is room', async () => {
    const world = new RouteWorld({ tables: [{ id: 'main', capacity: 4 }, { id: 'zone' }] });
    const manager = world.start();
    for (const name of ['a', 'b']) world.addNode(name);
    await world.clock.advance(2 * second);
    for (const name of ['c', 'd']) world.addNode(name);
    await world.clock.advance(3 * minute);
    assert.deepEqual(world.eventsOf('RouteTableFull'), ['d RouteTableFull']);
    assert.match(
      world.events().join(),
      /d: Table "main" has 4 of at most 4 routes, and these nodes wait for room: c and d\. Raise/,
    );
    assert.deepEqual(world.eventsOf('FailedToCreateRoute').toSorted(), [
      'c FailedToCreateRoute',
      'd FailedToCreateRoute',
    ]);
    for (const name of ['a', 'b', 'c']) {
      world.removeNode(name);
      world.cloud.terminate(name);
    }
    await world.clock.advance(2 * minute);
    assert.equal(world.condition('d'), 'False RouteCreated');
    const events = JSON.stringify(world.model.store.collection('events').list());
    await world.clock.advance(60 * minute);
    assert.equal(JSON.stringify(world.model.store.collection('events').list()), events);
    await manager.stop();
  });

  it('are renewed while the table stays nearly full', async () => {
    const world = new RouteWorld({ tables: [{ id: 'main', capacity: 2 }] });
    const manager = world.start();
    world.addNode('a');
    await world.clock.advance(2 * minute);
    const counted = (): number[] =>
      world.model.store
        .collection('events')
        .list()
        .map((event) => Number(JSON.parse(JSON.stringify(event)).count));
    assert.deepEqual(world.eventsOf(...reasons), ['a RouteTableNearlyFull']);
    assert.deepEqual(counted(), [1]);
    await world.clock.advance(65 * minute);
    assert.deepEqual(counted(), [3]);
    await manager.stop();
  });

  it('are not sent in a dry run', async () => {
    const world = new RouteWorld({ tables: [{ id: 'main', capacity: 1 }] });
    const manager = world.start({ mode: 'dryRun' });
    world.addNode('a');
    await world.clock.advance(2 * minute);
    assert.deepEqual(world.events(), []);
    await manager.stop();
  });
});

describe('a cloud that lists no route table', () => {
  it('is reported on every node that needs a route, and marks no node', async () => {
    const world = new RouteWorld();
    const manager = world.start({ tables: [] });
    world.addNode('a');
    await world.clock.advance(5 * minute);
    assert.match(
      world.events().join(),
      /a: No route to 10\.244\.0\.0\/24 and fd00:10:244::\/64: the cloud lists no route table/,
    );
    assert.equal(world.condition('a'), '');
    await manager.stop();
  });
});
