import assert from 'node:assert/strict';
import type { Provider } from '@tandem/provider/plug';
import { NodeWorld } from './node-world.fixture.ts';

describe('a node of another cloud', () => {
  for (const state of ['tainted', 'initialised'] as const) {
    it(`that is ${state} is managed within 65 s of becoming ours`, async () => {
      let isOurs = false;
      const world = new NodeWorld({
        provider: (cloud): Provider => ({
          name: 'growing',
          identify: (providerID) => (isOurs ? cloud.identify(providerID) : undefined),
          lookup: (nodes, options) => cloud.lookup(nodes, options),
        }),
      });
      const { providerID } = world.cloud.create({ name: 'a' });
      const taints = state === 'tainted' ? {} : { taints: [] };
      world.addNode({ name: 'a', providerID, ...taints });
      world.start({ refreshPeriodMs: 60_000 });
      await world.clock.advance(10 * 60_000);
      assert.deepEqual(world.reasons('a'), ['ForeignProviderID']);
      assert.equal(world.cloud.counts.lookups, 0);
      isOurs = true;
      await world.clock.advance(65_000);
      assert.ok(world.node('a').addresses.length > 1);
      assert.ok(world.node('a').isInitialised);
    });
  }

  it('is reported although its providerID came after the cloud had no instance for it', async () => {
    const world = new NodeWorld();
    world.addNode({ name: 'a' });
    const manager = world.start();
    await world.clock.advance(1_000);
    assert.equal(world.cloud.counts.lookups, 1);
    world.change('a', (node) => ({ ...node, spec: { providerID: 'elsewhere:///i-1' } }));
    await world.clock.advance(1_000);
    assert.deepEqual(world.reasons('a'), ['ForeignProviderID']);
    assert.deepEqual(Object.fromEntries(manager.controller.states() ?? []), { 'not ours': 1 });
  });
});
