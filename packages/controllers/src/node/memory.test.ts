import assert from 'node:assert/strict';
import { sleep } from '@tandem/runtime';
import { intercepting, isWrite, refusal } from './transports.fixture.ts';
import { NodeWorld } from './node-world.fixture.ts';

describe('the memory of the controller', () => {
  it('has one entry for each healthy node', async () => {
    const world = new NodeWorld();
    for (let number = 0; number < 20; number++) world.addMachine({ name: `n${number}` });
    const manager = world.start();
    await world.clock.advance(10_000);
    assert.equal(manager.controller.remembered, 20);
  });

  it('has nothing about deleted nodes, whatever state they were in (M6)', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'settled' });
    world.addMachine({ name: 'bad' });
    world.addNode({ name: 'absent' });
    world.addMachine({ name: 'paused', annotations: { 'tandem.dev/paused': 'true' } });
    world.addMachine({
      name: 'asking',
      annotations: { 'tandem.dev/node-ip': 'x', 'alpha.kubernetes.io/provided-node-ip': 'IPv4' },
    });
    const { providerID } = world.cloud.create({ name: 'first' });
    for (const name of ['first', 'second']) world.addNode({ name, providerID });
    const denied = { code: 400, reason: 'BadRequest', message: 'denied' };
    const manager = world.start({
      wrap: intercepting(async (request, pass) =>
        isWrite(request) && request.path.includes('/bad') ? refusal(denied) : pass(),
      ),
    });
    await world.clock.advance(30_000);
    assert.ok(manager.controller.remembered > world.names().length);
    for (const name of world.names()) world.removeNode(name);
    await world.clock.advance(1_000);
    assert.equal(manager.controller.remembered, 0);
  });

  it('has nothing about a node deleted during a refused write, and no event reports it', async () => {
    const world = new NodeWorld();
    world.addMachine({ name: 'a' });
    const manager = world.start({
      wrap: intercepting(async (request, pass) => {
        if (!isWrite(request)) return pass();
        world.removeNode('a');
        await sleep(world.clock, 50);
        return refusal({ code: 400, reason: 'BadRequest', message: 'denied' });
      }),
    });
    await world.clock.advance(60 * 60_000);
    assert.equal(manager.controller.remembered, 0);
    assert.deepEqual(world.events('a'), []);
  });
});
