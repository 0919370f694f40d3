import assert from 'node:assert/strict';
import { type Answer, InstanceLookup } from '@tandem/provider/lookup';
import { createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { type CloudSettings, noFaults, SimulatedCloud } from './index.ts';

interface FaultyLookup {
  readonly clock: VirtualClock;
  readonly cloud: SimulatedCloud;
  readonly ask: (maxAgeMs: number) => Promise<Answer[]>;
}

function aWorld(count: number, settings: Partial<CloudSettings>, seed = 'faults'): FaultyLookup {
  const clock = virtualClock();
  const random = seededRandom(seed);
  const cloud = new SimulatedCloud({ clock, random, settings });
  const lookup = new InstanceLookup({
    provider: cloud,
    limits: { deadlineMs: 5_000 },
    clock,
    random,
    metrics: createMetrics(),
    logger: silentLogger,
  });
  const nodes = Array.from({ length: count }, (_, index) => {
    const name = `node-${index}`;
    const { providerID } = cloud.create({ name });
    return { name, uid: name, providerID, labels: {}, systemUUID: '' };
  });
  const ask: FaultyLookup['ask'] = async (maxAgeMs) => {
    const asking = Promise.all(nodes.map((node) => lookup.ask(node, { maxAgeMs })));
    const [answers] = await Promise.all([asking, clock.advance(60_000)]);
    return answers;
  };
  return { clock, cloud, ask };
}

describe('a look-up in a simulated cloud', () => {
  const faults: readonly (keyof typeof noFaults)[] = [
    'throttle',
    'failure',
    'lost',
    'partial',
    'empty',
    'garbage',
  ];
  for (const fault of faults) {
    it(`reports no existing instance as absent under the fault "${fault}", and recovers`, async () => {
      const { cloud, ask } = aWorld(40, {});
      for (const rate of [1, 0.5]) {
        cloud.set({ faults: { ...noFaults, [fault]: rate } });
        for (const answer of await ask(0)) assert.notEqual(answer.kind, 'absent');
      }
      cloud.set({ faults: noFaults });
      assert((await ask(0)).every(({ kind }) => kind === 'found'));
    });
  }

  it('reports no existing instance as absent under any mixture of faults', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = seededRandom(`mixture ${seed}`);
      const rates = Object.fromEntries(faults.map((fault) => [fault, random.next() / 3]));
      const settings = {
        latencyMs: { min: 10, max: 9_000 },
        pagesPerSecond: 2,
        faults: { ...noFaults, ...rates },
      };
      const { cloud, clock, ask } = aWorld(120, settings, `seed ${seed}`);
      for (const maxAgeMs of [60_000, 0]) {
        for (const { kind } of await ask(maxAgeMs)) assert.notEqual(kind, 'absent');
      }
      cloud.set({ faults: noFaults, pagesPerSecond: 100, latencyMs: { min: 10, max: 100 } });
      await clock.advance(60_000);
      assert(
        (await ask(0)).every(({ kind }) => kind === 'found'),
        `seed ${seed}`,
      );
    }
  });

  it('costs ten calls and fifty pages for 5,000 nodes', async () => {
    const { cloud, ask } = aWorld(5_000, { latencyMs: { min: 50, max: 100 } });
    assert((await ask(0)).every(({ kind }) => kind === 'found'));
    assert.deepEqual(cloud.counts, { lookups: 10, pages: 50, nodes: 5_000, throttled: 0 });
  });
});
