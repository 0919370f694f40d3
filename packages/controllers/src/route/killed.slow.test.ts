/** Kills managers in many seeded worlds in virtual time: the next manager repairs what a killed one left behind. */
import assert from 'node:assert/strict';
import { noRouteFaults } from '../../../../test/support/simulated-cloud.ts';
import { blocksOf, RouteWorld } from './route-world.fixture.ts';

const minute = 60_000;

describe('a killed route controller, on a cloud with faults', () => {
  it('leaves tables that the next one brings to the wanted number of routes', async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const world = new RouteWorld(
        {
          tables: [{ id: 'main' }, { id: 'zone' }],
          latencyMs: { min: 10, max: 400 },
          spellsOddly: true,
          faults: {
            throttle: 0.05,
            failure: 0.1,
            failureAfter: 0.1,
            lostBefore: 0.02,
            lostAfter: 0.05,
          },
          targets: seed % 2 === 0 ? 'instance' : 'address',
          limits: { deadlineMs: 5_000 },
        },
        `faults-${seed}`,
      );
      world.cloud.routes?.addForeign('main', '10.0.0.0/8');
      const first = world.start();
      for (let at = 0; at < 6; at++) world.addNode(`n${at}`);
      await world.clock.advance(200 + seed * 137);
      first.kill();
      world.removeNode('n0');
      world.cloud.terminate('n0');
      const next = world.start();
      await world.clock.advance(2 * minute);
      world.set({ faults: noRouteFaults });
      await world.clock.advance(10 * minute);
      const wanted = [1, 2, 3, 4, 5].flatMap((at) => blocksOf(at)).length;
      for (const table of ['main', 'zone']) {
        const routes = world.cloud.routes?.routesOf(table).filter(({ ours }) => ours) ?? [];
        assert.equal(
          routes.length,
          wanted,
          `seed ${seed}, ${table}: ${world.routes(table).join()}`,
        );
      }
      assert.equal(world.cloud.routes?.routesOf('main').filter(({ ours }) => !ours).length, 1);
      for (let at = 1; at < 6; at++) assert.equal(world.condition(`n${at}`), 'False RouteCreated');
      if (seed % 2 === 0) assert.deepEqual(world.unproven, [], `seed ${seed}`);
      await next.stop();
    }
  });
});
