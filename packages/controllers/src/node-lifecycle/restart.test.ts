/** A manager is killed at every call, and another one starts (P7). */
import assert from 'node:assert/strict';
import { shutdownTaint } from '@tandem/core/lifecycle';
import { LifecycleWorld } from './lifecycle-world.fixture.ts';

const minuteMs = 60_000;

function aWorld(): LifecycleWorld {
  const world = new LifecycleWorld();
  world.addNode({ name: 'gone', instance: null });
  world.addNode({ name: 'stopped', instance: 'stopped' });
  world.addNode({ name: 'back', ready: 'True', taints: [shutdownTaint.key] });
  world.addNode({ name: 'booting' });
  return world;
}

function assertDone(world: LifecycleWorld, when: string): void {
  assert.deepEqual(world.names(), ['back', 'booting', 'stopped'], when);
  assert.deepEqual(world.taintsOf('stopped'), [shutdownTaint.key], when);
  assert.deepEqual(world.taintsOf('back'), [], when);
  world.laws.verify();
}

class Killed extends Error {}

/**
 * Runs a manager until the call of this number, and kills it before or after that call's effect.
 */
async function killAt(
  world: LifecycleWorld,
  { call, moment }: { call: number; moment: 'before' | 'after' },
): Promise<boolean> {
  let calls = 0;
  const isKilled = (): boolean => calls >= call;
  const port = (): void => {
    calls++;
    if (isKilled()) throw new Killed('the process was killed');
  };
  if (moment === 'before') world.onRequest = port;
  else world.onAnswered = port;
  world.cloud.onLookup = port;
  const manager = world.start();
  for (let seconds = 0; seconds < 45 && !isKilled(); seconds++) await world.clock.advance(1_000);
  await manager.stop();
  world.onRequest = () => {};
  world.onAnswered = () => {};
  world.cloud.onLookup = () => {};
  return isKilled();
}

describe('a restarted manager', () => {
  for (const moment of ['before', 'after'] as const) {
    it(`completes the work of one that was killed ${moment} any call`, async () => {
      let call = 1;
      for (; ; call++) {
        const world = aWorld();
        const isKilled = await killAt(world, { call, moment });
        const manager = world.start();
        await world.clock.advance(minuteMs);
        await manager.stop();
        assertDone(world, `killed ${moment} call ${call}`);
        if (!isKilled) break;
      }
      assert.ok(call > 8, `${call} calls`);
    });
  }

  it('deletes a node only on two new absences', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null });
    const first = world.start();
    await world.clock.advance(18_000);
    await first.stop();
    const said = world.cloud.answers.length;
    const second = world.start();
    await world.clock.advance(18_000);
    assert.deepEqual(world.names(), ['n']);
    await world.clock.advance(10_000);
    assert.deepEqual(world.names(), []);
    const since = world.cloud.answers
      .slice(said)
      .filter((one) => one.freshness === 'authoritative');
    const [oldest, newest] = [since[0]?.atMs ?? 0, since.at(-1)?.atMs ?? 0];
    assert.ok(newest - oldest >= 15_000);
    await second.stop();
  });

  it('leaves no timer and no active event behind, whenever it is stopped', async () => {
    for (const stopMs of [0, 1, 5_000, 10_001, 20_000, 25_003]) {
      const world = aWorld();
      const manager = world.start();
      await world.clock.advance(stopMs);
      await manager.stop();
      assert.deepEqual([world.clock.pending, manager.standing.size], [0, 0], `${stopMs} ms`);
    }
  });
});

describe('a jump of the wall clock', () => {
  it('makes no node older', async () => {
    const world = new LifecycleWorld();
    world.addNode({ name: 'n', instance: null, ageMs: 0 });
    let jumpMs = 0;
    const clock = { ...world.clock, now: () => world.clock.now() + jumpMs };
    const manager = world.start({ clock });
    await world.clock.advance(1_000);
    jumpMs = 60 * minuteMs;
    await world.clock.advance(30_000);
    world.change('n', (node) => ({ ...node, spec: { providerID: 'test:///another' } }));
    await world.clock.advance(28_000);
    assert.equal(world.cloud.lookups, 0);
    await manager.stop();
  });
});
