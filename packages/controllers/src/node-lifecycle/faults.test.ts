/**
 * Clusters with many faults at once: API servers that lose, refuse and repeat requests, and clouds
 * that fail. The controller breaks no rule of deletion (L1 to L3), and recovers after the faults.
 */
import assert from 'node:assert/strict';
import { shutdownTaint } from '@tandem/core/lifecycle';
import { seededRandom } from '@tandem/runtime/testing';
import {
  drawFaultPlan,
  faultyTransport,
  requestFaults,
} from '../../../../test/support/api-faults/index.ts';
import { LifecycleWorld } from './lifecycle-world.fixture.ts';
import { providerIDOf } from './scripted-cloud.fixture.ts';

const minuteMs = 60_000;
const seeds = 8;

async function live(seed: number): Promise<void> {
  const random = seededRandom(`faults-${seed}`);
  const world = new LifecycleWorld();
  let heal = (): void => {};
  world.wrap = (transport) => {
    const plan = drawFaultPlan(random.fork('plan'), requestFaults);
    const faulty = faultyTransport(transport, { clock: world.clock, random, plan });
    heal = () => faulty.heal();
    return faulty;
  };
  const names = world.addNodes(12, { ready: 'True' });
  const cloud = random.fork('cloud');
  const errorRate = cloud.next() / 2;
  world.cloud.bend = (_, answer) =>
    cloud.next() < errorRate ? { kind: 'unknown', err: new Error('busy') } : answer;
  world.cloud.onLookup = () => {
    if (cloud.next() < errorRate) throw new Error('the cloud is down');
  };
  const manager = world.start();
  await world.clock.advance(10_000);
  const [gone = '', other = '', stopped = '', passing = ''] = names;
  world.lose(gone, other);
  world.cloud.set(providerIDOf(stopped), 'stopped');
  world.setReady(stopped, 'Unknown');
  world.setReady(passing, 'False');
  await world.clock.advance(random.next() * minuteMs);
  world.setReady(passing, 'True');
  await world.clock.advance(minuteMs);
  heal();
  world.cloud.bend = (_, answer) => answer;
  world.cloud.onLookup = () => {};
  await world.clock.advance(5 * minuteMs);
  assert.deepEqual(world.names(), names.filter((name) => ![gone, other].includes(name)).toSorted());
  for (const name of world.names()) {
    assert.deepEqual(world.taintsOf(name), name === stopped ? [shutdownTaint.key] : [], name);
  }
  await manager.stop();
}

describe('the lifecycle controller under random faults', () => {
  it('breaks no rule of deletion, and recovers within five minutes of their end', async () => {
    for (let seed = 0; seed < seeds; seed++) {
      try {
        await live(seed);
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause });
      }
    }
  });
});
