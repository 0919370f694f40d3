import assert from 'node:assert/strict';
import { intercepting, isWrite, refusal } from './transports.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

describe('a controller that is stopped', () => {
  it('waits for the write in flight, and sends no other', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const manager = world.start({
      wrap: intercepting(async (request, pass) => {
        if (!isWrite(request)) return pass();
        await new Promise<void>((resolve) => world.clock.after(2_000, resolve));
        return pass();
      }),
    });
    await world.clock.advance(1_000);
    assert.deepEqual(world.writes, ['PATCH a/status']);
    const stopped = { isSo: false };
    const stopping = manager.stop().then(() => {
      stopped.isSo = true;
      return world.node('a').addresses.length;
    });
    assert.equal(await stopping, 3, 'the controller did not wait for the write');
    assert.deepEqual(world.writes, ['PATCH a/status']);
    assert.equal(world.clock.pending, 0, 'a timer was left behind');
  });

  it('leaves no timer behind when the write in flight is refused', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const manager = world.start({
      wrap: intercepting(async (request, pass) => {
        if (!isWrite(request)) return pass();
        await new Promise<void>((resolve) => world.clock.after(2_000, resolve));
        return refusal({ code: 400, reason: 'BadRequest', message: 'denied' });
      }),
    });
    await world.clock.advance(1_000);
    await manager.stop();
    assert.equal(world.clock.pending, 0, 'a timer was left behind');
    assert.equal(await manager.metric('tandem_uninitialized_nodes{reason="WriteRefused"}'), 0);
  });

  it('counts no node any more, because the new leader does', async () => {
    const world = new NodeWorld();
    world.addNode({ name: 'lonely' });
    const manager = world.start();
    await world.clock.advance(60_000);
    const waiting = 'tandem_uninitialized_nodes{reason="InstanceNotFound"}';
    assert.equal(await manager.metric(waiting), 1);
    await manager.stop();
    assert.equal(await manager.metric(waiting), 0);
  });

  it('ends at once if the cache is not synced yet', async () => {
    const world = new NodeWorld();
    const manager = world.start({ wrap: intercepting(() => new Promise(() => {})) });
    await manager.stop();
    assert.equal(world.cloud.counts.lookups, 0);
  });
});
