import assert from 'node:assert/strict';
import { RouteWorld } from './route-world.fixture.ts';
import { routeSection } from './status.ts';

describe('the status of routes', () => {
  it('says before the first list that there is none', () => {
    assert.deepEqual(routeSection(undefined, { failedLists: 0, why: '' }), {
      title: 'Routes',
      rows: [],
      notes: ['The routes were not listed yet.'],
    });
  });

  it('shows how full every table is, and how many routes nodes lack', async () => {
    const world = new RouteWorld({
      tables: [
        { id: 'main', capacity: 50 },
        { id: 'edge', capacity: { IPv4: 2 } },
      ],
    });
    for (const name of ['a', 'b', 'c']) world.addNode(name);
    world.cloud.routes?.addForeign('main', '192.0.2.0/24');
    const manager = world.start();
    await world.clock.advance(30_000);
    const [section] = manager.controller.status();
    assert.deepEqual(section, {
      title: 'Routes',
      rows: [
        { table: 'main', family: 'IPv4', routes: 4, ours: 3, capacity: '50 for both families' },
        { table: 'main', family: 'IPv6', routes: 3, ours: 3, capacity: '50 for both families' },
        { table: 'edge', family: 'IPv4', routes: 2, ours: 2, capacity: '2' },
        { table: 'edge', family: 'IPv6', routes: 3, ours: 3, capacity: 'no limit known' },
      ],
      notes: [
        'IPv4 routes that nodes need: 6, of which 5 are there.',
        'IPv6 routes that nodes need: 6, of which 6 are there.',
        'Nodes that lack a route: 1.',
      ],
    });
    const usage = (await manager.metrics.render())
      .split('\n')
      .filter((line) => line.startsWith('tandem_route_table_usage_ratio'));
    assert.deepEqual(usage.toSorted(), [
      'tandem_route_table_usage_ratio{table="edge",family="IPv4"} 1',
      'tandem_route_table_usage_ratio{table="main",family="all"} 0.14',
    ]);
    await manager.stop();
  });
});
