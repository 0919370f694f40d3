/**
 * A manager is killed at any call to the API server, before or after its effect, and another one
 * starts (P7). A node is deleted and registered again, with another instance, between any two calls
 * (P2). NodeWorld itself checks P1 after every write.
 */
import assert from 'node:assert/strict';
import type { Manager } from './manager.fixture.ts';
import { intercepting } from './transports.fixture.ts';
import { type NodeView, NodeWorld } from './node-world.fixture.ts';

const requested = { annotations: { 'tandem.dev/node-ip': 'IPv6,IPv4' } };

function aWorld(): NodeWorld {
  const world = new NodeWorld();
  world.addMachine({ name: 'a', ...requested });
  world.addMachine({ name: 'b' });
  return world;
}

/** The nodes that an undisturbed manager leaves, and how many calls it makes. */
async function reference(): Promise<{
  readonly nodes: readonly NodeView[];
  readonly calls: number;
}> {
  const world = aWorld();
  let calls = 0;
  world.start({
    wrap: intercepting((_, pass) => {
      calls++;
      return pass();
    }),
  });
  await world.clock.advance(2_000);
  return { nodes: [world.node('a'), world.node('b')], calls };
}

describe('a manager that is killed', () => {
  for (const moment of ['before', 'after'] as const) {
    it(`at any call, ${moment} its effect, leaves nodes that the next manager completes`, async () => {
      const { nodes, calls } = await reference();
      assert.ok(calls >= 7, 'a watch, four patches and two events');
      for (let fatal = 1; fatal <= calls; fatal++) {
        const world = aWorld();
        let count = 0;
        const first: Manager = world.start({
          wrap: intercepting(async (_, pass) => {
            const isFatal = ++count === fatal;
            if (isFatal && moment === 'before') first.kill();
            const response = isFatal && moment === 'before' ? new Promise<never>(() => {}) : pass();
            if (isFatal) await response.then(() => first.kill());
            return response;
          }),
        });
        await world.clock.advance(2_000);
        world.start();
        await world.clock.advance(2_000);
        assert.deepEqual([world.node('a'), world.node('b')], nodes, `killed at call ${fatal}`);
      }
    });
  }
});

describe('a node that replaces one of the same name, with another instance', () => {
  it('between any two calls, never gets its predecessor’s addresses or providerID', async () => {
    const { calls } = await reference();
    for (const moment of ['before', 'after'] as const) {
      for (let at = 1; at <= calls; at++) {
        const world = aWorld();
        let count = 0;
        const replace = (): void => {
          world.removeNode('a');
          world.cloud.terminate('a');
          world.cloud.create({
            name: 'a',
            addresses: [{ type: 'InternalIP', address: '10.7.7.7' }],
          });
          world.addNode({ name: 'a', addresses: [], uid: 'uid-anew' });
        };
        world.model.store.onChange((collection, { after }) => {
          if (collection !== 'nodes' || after?.metadata.uid !== 'uid-anew') return;
          const allowed = JSON.stringify(after['status']).replaceAll('10.7.7.7', '');
          assert.doesNotMatch(allowed, /10\.|fd00/, `replaced ${moment} call ${at}`);
        });
        world.start({
          wrap: intercepting(async (_, pass) => {
            const isNow = ++count === at;
            if (isNow && moment === 'before') replace();
            const response = await pass();
            if (isNow && moment === 'after') replace();
            return response;
          }),
        });
        await world.clock.advance(10_000);
        const node = world.node('a');
        assert.deepEqual(node.addresses, ['InternalIP 10.7.7.7'], `replaced ${moment} call ${at}`);
        assert.equal(node.providerID, world.cloud.find('a')?.providerID);
        assert.ok(node.isInitialised);
      }
    }
  });
});
