/**
 * Kills managers at any call and lets API calls fail: no block goes to two nodes, and every node gets its blocks (P4,
 * P7).
 */
import assert from 'node:assert/strict';
import type { KubeTransport } from '@tandem/kube/transport';
import { seededRandom } from '@tandem/runtime/testing';
import { faultyTransport } from '../../../../test/support/api-faults/index.ts';
import { IpamWorld } from './ipam-world.fixture.ts';

describe('a manager that is killed at any call', () => {
  it('leaves a state that the next manager completes, in a pool without spare blocks (P7)', async () => {
    for (let killAt = 1; killAt <= 40; killAt++) {
      const world = new IpamWorld({ seed: `kill-${killAt}` });
      const names = ['a', 'b', 'c', 'd'];
      const pools = [{ ranges: ['10.0.0.0/22 24', 'fd00::/62 64'] }];
      world.addNodes(...names);
      let calls = 0;
      const wrap = (inner: KubeTransport): KubeTransport => ({
        send: (request) => {
          if (++calls === killAt) first.kill();
          const answer = inner.send(request);
          if (calls === killAt + 1) first.kill();
          return answer;
        },
        close: () => inner.close(),
      });
      const first = world.start({ pools, wrap });
      await world.clock.advance(5_000);
      first.kill();
      const leadership = { predecessor: 'expired', lastWriteMs: 12_000 } as const;
      const second = world.start({ pools, leadership });
      await world.clock.advance(60_000);
      assert.ok(
        names.every((name) => world.podCIDRs(name).length === 2),
        `killed at ${killAt}`,
      );
      assert.deepEqual(second.counts(), ['0 4 0 0', '0 4 0 0']);
      await second.stop();
    }
  });
});

describe('an API server with faults', () => {
  it('never makes two nodes share a block, and every node gets its blocks after the faults', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const world = new IpamWorld({ seed: `faults-${seed}` });
      const random = seededRandom(world.seed).fork('faults');
      const spare = seed % 4;
      const pools = [{ ranges: ['10.0.0.0/20 24', 'fd00::/60 64'] }];
      const names = Array.from({ length: 16 - spare }, (_, at) => `n${at}`);
      const rates = {
        'reset-after': 0.2,
        'reset-before': 0.1,
        'internal-error': 0.2,
        lag: 0.3,
        delay: 0.2,
      };
      const plan = { rates, faultsMax: 60, delayMsMax: 3_000 };
      const wrap = (inner: KubeTransport): KubeTransport =>
        faultyTransport(inner, { clock: world.clock, random, plan });
      const manager = world.start({ pools, wrap });
      world.addNodes(...names);
      for (let round = 0; round < 6; round++) {
        await world.clock.advance(700);
        const name = names[Math.floor(random.next() * names.length)] ?? 'n0';
        world.removeNode(name);
        world.addNodes(name);
      }
      await world.clock.advance(15 * 60_000);
      const served = names.filter((name) => world.podCIDRs(name).length === 2);
      assert.equal(served.length, names.length, `seed ${seed}: ${JSON.stringify(world.all())}`);
      assert.equal(manager.controller.hasWriteInDoubt, false, `seed ${seed}`);
      await manager.stop();
    }
  });
});
