import assert from 'node:assert/strict';
import { shutdownTaint } from '@tandem/core/lifecycle';
import { LifecycleWorld } from './lifecycle-world.fixture.ts';

const minuteMs = 60_000;

describe('a node that the cloud reports as not its own', () => {
  it('is neither deleted nor tainted', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'gone', instance: null });
    world.addNode({ name: 'down', instance: 'stopped' });
    world.addNode({ name: 'up', ready: 'True', taints: [shutdownTaint.key] });
    world.cloud.bend = () => ({ kind: 'notOurs' });
    const manager = world.start();
    const up = { name: 'up', uid: 'uid-up', providerID: 'test:///up', labels: {}, systemUUID: '' };
    void manager.lookup.ask(up, { maxAgeMs: 0 });
    await world.clock.advance(30 * minuteMs);
    assert.deepEqual(world.names(), ['down', 'gone', 'up']);
    assert.deepEqual(world.taintsOf('down'), []);
    assert.deepEqual([world.sent('DELETE'), manager.events, manager.standing.size], [0, [], 0]);
    await manager.stop();
  });

  it('is looked up every minute, and deleted once it is ours and its instance is absent', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'gone', instance: null });
    world.cloud.bend = () => ({ kind: 'notOurs' });
    const manager = world.start();
    await world.clock.advance(10 * minuteMs);
    assert.ok(world.cloud.lookups >= 9 && world.cloud.lookups <= 12, `${world.cloud.lookups}`);
    world.cloud.bend = (_, answer) => answer;
    await world.clock.advance(3 * minuteMs);
    assert.deepEqual(world.names(), []);
    await manager.stop();
  });

  it('needs new absences once it is ours again, because earlier ones no longer count', async () => {
    const world = new LifecycleWorld({ graceMs: minuteMs });
    world.addNode({ name: 'gone', instance: null });
    const manager = world.start();
    await world.clock.advance(30_000);
    world.cloud.bend = () => ({ kind: 'notOurs' });
    await world.clock.advance(10_000);
    world.cloud.bend = (_, answer) => answer;
    await world.clock.advance(minuteMs + 45_000);
    assert.deepEqual(world.names(), ['gone']);
    await world.clock.advance(minuteMs);
    assert.deepEqual(world.names(), []);
    await manager.stop();
  });

  it('does not count for the share of nodes that the brake allows', async () => {
    const world = new LifecycleWorld();
    const names = world.addNodes(60, { ready: 'True' });
    const others = new Set(names.slice(30));
    world.cloud.bend = ({ name }, answer) => (others.has(name) ? { kind: 'notOurs' } : answer);
    const manager = world.start();
    for (const name of others) {
      const ref = { name, uid: `uid-${name}`, providerID: `test:///${name}` };
      void manager.lookup.ask({ ...ref, labels: {}, systemUUID: '' }, { maxAgeMs: 0 });
    }
    await world.clock.advance(7_000);
    // These are two fifths of our nodes, and a fifth of all nodes.
    world.lose(...names.slice(0, 12));
    await world.clock.advance(2 * minuteMs);
    assert.equal(world.names().length, 60);
    assert.equal(await manager.figure('tandem_node_deletion_brake_engaged'), 1);
    await manager.stop();
  });
});
