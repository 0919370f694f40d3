/** The calls of the lifecycle controller to the cloud and the API server. */
import assert from 'node:assert/strict';
import { LifecycleWorld } from './lifecycle-world.fixture.ts';

const minuteMs = 60_000;

describe('the cost of the node lifecycle controller', () => {
  it('is nothing while all nodes are Ready (P5)', async () => {
    const world = new LifecycleWorld();
    world.addNodes(20, { ready: 'True' });
    const manager = world.start();
    await world.clock.advance(1_000);
    const before = world.requests.filter((request) => !request.includes('watch')).length;
    await world.clock.advance(30 * minuteMs);
    const after = world.requests.filter((request) => !request.includes('watch')).length;
    assert.deepEqual([world.cloud.lookups, after - before], [0, 0]);
    await manager.stop();
  });

  it('is one call for all nodes that are due, and none to the API server', async () => {
    const world = new LifecycleWorld();
    world.addNodes(50);
    const manager = world.start();
    await world.clock.advance(1_000);
    assert.equal(world.cloud.lookups, 1);
    assert.equal(world.sent('GET', '/api/v1/nodes/'), 0);
    await manager.stop();
  });

  it('falls to one look-up a minute for NotReady nodes whose instances exist', async () => {
    const world = new LifecycleWorld();
    world.addNodes(10);
    const manager = world.start();
    await world.clock.advance(3 * minuteMs);
    const before = world.cloud.lookups;
    await world.clock.advance(60 * minuteMs);
    const more = world.cloud.lookups - before;
    assert.ok(more >= 50 && more <= 60, `${more} calls`);
    assert.equal(world.sent('PATCH') + world.sent('DELETE'), 0);
    await manager.stop();
  });

  it('is one look-up at once for a postponed node whose Ready condition changes', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', ready: 'False' });
    const manager = world.start();
    await world.clock.advance(30 * minuteMs);
    const before = world.cloud.lookups;
    world.setReady('n', 'Unknown');
    await world.clock.advance(6_000);
    assert.equal(world.cloud.lookups, before + 1);
    await manager.stop();
  });

  it('is nothing for nodes of another cloud and paused nodes', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'foreign', providerID: 'other:///1' });
    world.addNode({ name: 'paused', annotations: { 'tandem.dev/paused': 'true' } });
    const manager = world.start();
    await world.clock.advance(30 * minuteMs);
    assert.equal(world.cloud.lookups, 0);
    world.change('paused', (node) => ({
      ...node,
      metadata: { ...node.metadata, annotations: {} },
    }));
    await world.clock.advance(6_000);
    assert.equal(world.cloud.lookups, 1, 'a node is looked up soon after its pause');
    await manager.stop();
  });

  it('is no second call before the time that the cloud asked for', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n' });
    world.cloud.bend = () => ({ kind: 'unknown', err: new Error('busy'), retryAfterMs: 300_000 });
    const manager = world.start();
    await world.clock.advance(299_000);
    assert.equal(world.cloud.lookups, 1);
    await world.clock.advance(12_000);
    assert.equal(world.cloud.lookups, 2);
    await manager.stop();
  });
});
