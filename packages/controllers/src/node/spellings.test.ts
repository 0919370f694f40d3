/** Two nodes spell the providerID of one instance differently: only one of them gets it (P2). */
import assert from 'node:assert/strict';
import { NodeWorld } from './node-world.fixture.ts';

/** Some kubelets write the providerID without the zone. */
const withoutZone = (providerID: string): string => providerID.replace(/zone-\d+\//, '');

const others = 3_000;

describe('two spellings of one providerID', () => {
  for (const newcomers of ['the cloud’s spelling', 'no providerID']) {
    it(`do not give one instance to two nodes at a start; the new node has ${newcomers}`, async () => {
      const world = new NodeWorld({
        cloud: { latencyMs: { min: 50, max: 50 } },
        provider: (cloud) => ({
          name: 'simulated',
          limits: { concurrency: 1 },
          identify: (providerID) => cloud.identify(providerID),
          lookup: (nodes, options) => cloud.lookup(nodes, options),
        }),
      });
      const { providerID: canonical, addresses } = world.cloud.create({ name: 'new' });
      for (let number = 0; number < others; number++) world.addReady(`n${number}`);
      world.addNode({ name: 'old', providerID: withoutZone(canonical), addresses, taints: [] });
      world.addNode({
        name: 'new',
        ...(newcomers === 'no providerID' ? {} : { providerID: canonical }),
      });
      world.start();
      await world.clock.advance(60_000);
      assert.ok(!world.node('new').isInitialised);
      assert.deepEqual(world.reasons('new'), ['ProviderIDConflict']);
      assert.match(world.events('new')[0]?.note ?? '', /already belongs to Node "old"/);
      assert.deepEqual(
        world.writes.filter((line) => line.includes('new')),
        [],
      );
      world.removeNode('old');
      await world.clock.advance(1_000);
      assert.ok(world.node('new').isInitialised);
      assert.equal(world.node('new').providerID, canonical);
    });
  }
});
