/**
 * After a failed look-up, the controller still reacts to a changed request or a boot within a
 * second.
 */
import assert from 'node:assert/strict';
import type { Provider } from '@tandem/provider/plug';
import { noFaults } from '../../../../test/support/simulated-cloud.ts';
import { NodeWorld } from './node-world.fixture.ts';

const dualStack = [
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'InternalIP', address: 'fd00::1' },
];

const events = {
  'a changed request': (world: NodeWorld) => world.annotate('a', { 'tandem.dev/node-ip': 'IPv6' }),
  'a boot': (world: NodeWorld) =>
    world.change('a', (node) => ({
      ...node,
      status: { ...(node['status'] as object), nodeInfo: { bootID: 'boot-2' } },
    })),
};

describe('a failed look-up', () => {
  for (const [event, happens] of Object.entries(events)) {
    for (const afterMs of [0, 100, 20_000]) {
      it(`does not delay the reaction to ${event} ${afterMs} ms later`, async () => {
        const world = new NodeWorld({ cloud: { faults: { ...noFaults, failure: 1 } } });
        world.addMachine({ name: 'a', cloud: dualStack, createdAtMs: 0 });
        world.start();
        await world.clock.advance(50);
        assert.equal(world.cloud.counts.lookups, 1);
        world.cloud.set({ faults: noFaults });
        await world.clock.advance(afterMs);
        assert.ok(!world.node('a').isInitialised);
        happens(world);
        await world.clock.advance(1_000);
        assert.ok(world.node('a').isInitialised);
        const wanted = event === 'a boot' ? 'InternalIP 10.0.0.1' : 'InternalIP fd00::1';
        assert.equal(world.node('a').addresses[0], wanted);
      });
    }

    it(`does not delay the reaction to ${event} after many failures in a row`, async () => {
      const world = new NodeWorld({ cloud: { faults: { ...noFaults, failure: 1 } } });
      world.addMachine({ name: 'a', cloud: dualStack, createdAtMs: 0 });
      world.addMachine({ name: 'young', cloud: dualStack });
      world.start();
      await world.clock.advance(130_000);
      world.cloud.set({ faults: noFaults });
      happens(world);
      await world.clock.advance(1_000);
      assert.ok(world.node('a').isInitialised);
    });

    it(`that asks to wait 2 s delays the next look-up that long after ${event}`, async () => {
      const world = new NodeWorld({ cloud: { faults: { ...noFaults, throttle: 1 } } });
      world.addMachine({ name: 'a', cloud: dualStack, createdAtMs: 0 });
      world.start();
      await world.clock.advance(50);
      world.cloud.set({ faults: noFaults });
      happens(world);
      // The simulated cloud asks the caller to wait for two seconds.
      await world.clock.advance(1_900);
      assert.equal(world.cloud.counts.lookups, 1);
      await world.clock.advance(1_000);
      assert.ok(world.node('a').isInitialised);
      assert.equal(world.cloud.counts.lookups, 2);
    });
  }

  it('for a changed request is retried within a second, not at the next poll', async () => {
    const world = new NodeWorld();
    world.addReady('a');
    world.start();
    await world.clock.advance(10_000);
    world.cloud.readdress('a', dualStack);
    world.cloud.set({ faults: { ...noFaults, failure: 1 } });
    world.annotate('a', { 'tandem.dev/node-ip': 'fd00::1' });
    await world.clock.advance(100);
    world.cloud.set({ faults: noFaults });
    await world.clock.advance(900);
    assert.equal(world.node('a').addresses[0], 'InternalIP fd00::1');
    assert.equal(world.cloud.counts.lookups, 3);
  });

  it('that asks to wait for one node is repeated when that time is over', async () => {
    const askedAtMs: number[] = [];
    const world = new NodeWorld({
      provider: (cloud): Provider => ({
        name: 'slow-down',
        identify: (providerID) => providerID,
        async lookup(nodes, options) {
          const answers = new Map(await cloud.lookup(nodes, options));
          if (!answers.has('a')) return answers;
          askedAtMs.push(world.clock.monotonic());
          const err = new Error('come back later');
          if (askedAtMs.length < 3) {
            answers.set('a', { kind: 'unknown', err, retryAfterMs: 20_000 });
          }
          return answers;
        },
      }),
    });
    world.addMachine({ name: 'a', cloud: dualStack, createdAtMs: 0 });
    world.start();
    await world.clock.advance(1_000);
    world.annotate('a', { 'tandem.dev/node-ip': 'IPv6' });
    await world.clock.advance(60_000);
    assert.deepEqual(
      askedAtMs.map((atMs) => Math.round(atMs / 1_000)),
      [0, 20, 40],
    );
    assert.ok(world.node('a').isInitialised);
  });

  it('is retried at most twice a second while the request keeps changing', async () => {
    const world = new NodeWorld({ cloud: { faults: { ...noFaults, failure: 1 } } });
    world.addMachine({ name: 'a', cloud: dualStack, createdAtMs: 0 });
    world.start();
    await world.clock.advance(10_000);
    const { lookups } = world.cloud.counts;
    for (let times = 0; times < 100; times++) {
      world.annotate('a', { 'tandem.dev/node-ip': times % 2 === 0 ? 'IPv6' : 'IPv4' });
      await world.clock.advance(100);
    }
    assert.ok(world.cloud.counts.lookups - lookups <= 21, `${world.cloud.counts.lookups} calls`);
  });
});
