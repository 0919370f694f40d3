/**
 * The same seed gives the same trace, to the byte: every request, write, event and log line, with faults
 * on, managers killed, two of them at a time and writes executed late. The second run comes after many other worlds and in another order, so that
 * nothing that worlds of one process share can have a part in it.
 */
import assert from 'node:assert/strict';
import { seedsOf } from '../support/seeds.ts';
import { drawPlan } from './plan/index.ts';
import { runWorld, type WorldEnd } from './world/index.ts';

const worlds = 36;

describe('a world', () => {
  it('leaves the same trace for the same seed, whatever ran before it', async () => {
    const seeds = seedsOf('simulation', worlds, '');
    const first = await runAll(seeds);
    const second = await runAll(seeds.toReversed());
    for (const [seed, end] of first) {
      assertSameTrace(seed, end.trace, second.get(seed)?.trace ?? []);
    }
    const ends = [...first.values()];
    assert.ok(ends.some(({ faults }) => faults > 10) && ends.some(({ kills }) => kills > 0));
    assert.ok(ends.some(({ lateWrites }) => lateWrites > 0));
    assert.ok(seeds.some((seed) => drawPlan(seed).routes !== undefined));
  });

  it('leaves another trace for another seed', async () => {
    const [one, other] = [...(await runAll(['simulation/0', 'simulation/1'])).values()];
    assert.notDeepEqual(one?.trace, other?.trace);
  });

  it('goes the same way whether or not it is traced', async () => {
    for (const seed of seedsOf('simulation', 6, '')) {
      const { trace: _, ...traced } = await runWorld({ seed, isTraced: true });
      const { trace, ...untraced } = await runWorld({ seed });
      assert.deepEqual(untraced, traced);
      assert.deepEqual(trace, []);
    }
  });
});

async function runAll(seeds: readonly string[]): Promise<Map<string, WorldEnd>> {
  const ends = new Map<string, WorldEnd>();
  for (const seed of seeds) ends.set(seed, await runWorld({ seed, isTraced: true }));
  return ends;
}

/** Thousands of lines: the first that differs is what tells. */
function assertSameTrace(seed: string, first: readonly string[], second: readonly string[]): void {
  assert.ok(first.length > 100, `${seed} has a trace`);
  const at = first.findIndex((line, index) => line !== second[index]);
  if (at >= 0) assert.equal(second[at], first[at], `${seed}, line ${at + 1}`);
  assert.equal(second.length, first.length, seed);
}
