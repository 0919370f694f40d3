/** Tests what a new leader waits for before it assigns its first block (P4). */
import assert from 'node:assert/strict';
import type { KubeTransport } from '@tandem/kube/transport';
import { sleep } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import { settlePredecessor } from './before-first-allocation.ts';
import { IpamWorld } from './ipam-world.fixture.ts';

const pools = [{ ranges: ['10.0.0.0/22 24'] }];
const expired = { predecessor: 'expired', lastWriteMs: 12_000 } as const;

describe('a new leader', () => {
  it('assigns nothing for 12 s after an expired Lease, and then avoids the block of a late write', async () => {
    const world = new IpamWorld();
    world.addNodes('a', 'b');
    const manager = world.start({ pools, leadership: expired });
    await world.clock.advance(11_900);
    assert.deepEqual(world.writes, []);
    // The API server stores the last write of the previous leader.
    const spec = { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] };
    world.change('b', (node) => ({ ...node, spec }));
    await world.clock.advance(1_000);
    assert.deepEqual(world.all(), { a: '10.0.1.0/24', b: '10.0.0.0/24' });
    await manager.stop();
  });

  it('uses a list that began after the wait, not its cache', async () => {
    const world = new IpamWorld();
    world.addNodes('a', 'b');
    // The manager's watch is late by 30 s, as the watch of a standby may be.
    let isLate = false;
    const wrap = (inner: KubeTransport): KubeTransport => ({
      async send(request) {
        const response = await inner.send(request);
        if (request.path.includes('watch=')) {
          const late = async function* () {
            for await (const chunk of response.body) {
              if (isLate) await sleep(world.clock, 30_000);
              yield chunk;
            }
          };
          return { ...response, body: late() };
        }
        return response;
      },
      close: () => inner.close(),
    });
    // The manager syncs. Then the API server stores the last write of the previous leader, which the cache does not
    // show.
    const manager = world.start({ pools, leadership: { ...expired, lastWriteMs: 2_000 }, wrap });
    await world.clock.advance(1_000);
    isLate = true;
    const spec = { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] };
    world.change('b', (node) => ({ ...node, spec }));
    await world.clock.advance(2_000);
    assert.equal(world.all()['a'], '10.0.1.0/24');
    isLate = false;
    await world.clock.advance(30_000);
    await manager.stop();
  });

  for (const { name, askedMs, lists } of [
    // Nodes may have registered with podCIDRs that such an old list does not show.
    { name: 'from before the Lease was won', askedMs: 499, lists: 1 },
    { name: 'from after the Lease was won', askedMs: 500, lists: 0 },
  ]) {
    it(`reads ${lists} more lists before the first block if its last list is ${name}`, async () => {
      let read = 0;
      const nodes = {
        catchUp: async () => void read++,
        showsAllBefore: (timeMs: number) => askedMs >= timeMs,
      };
      const ports = { clock: virtualClock(), random: seededRandom('lists'), logger: silentLogger };
      const leadership = { predecessor: 'none', lastWriteMs: 0, sinceMs: 500 } as const;
      const { signal } = new AbortController();
      assert.equal(await settlePredecessor({ nodes, leadership, ...ports }, signal), true);
      assert.equal(read, lists);
    });
  }

  it('retries the list until it succeeds, and assigns nothing before', async () => {
    const world = new IpamWorld();
    world.addNodes('a');
    let isShut = true;
    const wrap = (inner: KubeTransport): KubeTransport => ({
      send: (request) =>
        isShut && request.path.includes('limit=')
          ? Promise.reject(new Error('cut off'))
          : inner.send(request),
      close: () => inner.close(),
    });
    const manager = world.start({ pools, leadership: expired, wrap });
    await world.clock.advance(60_000);
    assert.deepEqual(world.writes, []);
    isShut = false;
    await world.clock.advance(20_000);
    assert.equal(world.all()['a'], '10.0.0.0/24');
    await manager.stop();
  });

  it('stops without a write while it waits', async () => {
    const world = new IpamWorld();
    world.addNodes('a');
    const manager = world.start({ pools, leadership: expired });
    await world.clock.advance(5_000);
    await manager.stop();
    assert.deepEqual(world.writes, []);
    assert.equal(manager.controller.hasWriteInDoubt, false);
  });
});
