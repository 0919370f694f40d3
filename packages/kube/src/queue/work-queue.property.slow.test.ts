import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { seededRandom } from '@tandem/runtime/testing';
import { NaiveQueue } from './naive-queue.fixture.ts';
import { aQueue, HeldRuns } from './queue.fixture.ts';
import { urgentTurnsMax } from './ready-queue.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      key,
      priority: fc.constantFrom('urgent' as const, 'routine' as const),
      afterMs: fc.constantFrom(0, 0, 0, 1, 7, 30),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      nth: fc.nat({ max: 3 }),
      isFailure: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('forget' as const), key }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      byMs: fc.integer({ min: 1, max: 20 }),
    }),
  },
);

describe('work queue in any sequence of calls', () => {
  it('agrees with a naive queue at every step', async () => {
    const scenario = fc.record({
      workers: fc.integer({ min: 1, max: 3 }),
      steps: fc.array(step, { maxLength: 60, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ workers, steps }) => {
        const runs = new HeldRuns();
        const backoff = { baseMs: 4, capMs: 16, jitter: 0 };
        const { clock, queue } = aQueue(runs.handle, { workers, backoff });
        const naive = new NaiveQueue({
          workers,
          urgentTurnsMax,
          delayMs: (failures) => Math.min(4 * 2 ** (failures - 1), 16),
        });
        queue.start();
        for (const next of steps) {
          if (next.kind === 'add') {
            queue.add(next.key, next);
            naive.add(next.key, next.priority, next.afterMs);
          } else if (next.kind === 'forget') {
            queue.forget(next.key);
            naive.forget(next.key);
          } else if (next.kind === 'end') {
            const running = naive.runningKeys[next.nth % workers];
            if (running === undefined) continue;
            runs.end(running, next.isFailure ? new Error('no') : undefined);
            naive.end(running, next.isFailure);
          } else {
            await clock.advance(next.byMs);
            naive.advance(next.byMs);
          }
          await clock.advance(0);
          const { depth, delayed } = queue;
          assert.deepEqual(
            { running: runs.running, depth, delayed, started: runs.started },
            naive.state,
          );
        }
        const stopping = queue.stop();
        for (const running of runs.running) runs.end(running);
        await stopping;
        assert.deepEqual([clock.pending, queue.size, queue.depth], [0, 0, 0]);
      }),
      { numRuns: 400 },
    );
  });

  it('loses none of a million adds of a thousand keys, and never runs one key twice at once', async function () {
    // Half a second of work, or more on a busy machine.
    this.timeout(30_000);
    const keys = Array.from({ length: 1_000 }, (_, index) => `node-${index}`);
    const added = new Map<string, number>();
    const seen = new Map<string, number>();
    const running = new Set<string>();
    // Checked at the end, because the queue treats an error of the handler as a failed run.
    const twiceAtOnce: string[] = [];
    let runs = 0;
    const { clock, queue } = aQueue(
      async (name) => {
        if (running.has(name)) twiceAtOnce.push(name);
        running.add(name);
        runs++;
        seen.set(name, added.get(name) ?? 0);
        // Some work ends at once, some only after more adds.
        if (runs % 3 === 0) await new Promise<void>((resolve) => clock.after(1, resolve));
        running.delete(name);
        if (runs % 101 === 0) throw new Error('now and then');
      },
      { workers: 16, backoff: { baseMs: 1, capMs: 4, jitter: 0.5 } },
    );
    queue.start();
    const random = seededRandom('adds');
    for (let batch = 0; batch < 100; batch++) {
      for (let count = 0; count < 10_000; count++) {
        const name = keys[Math.floor(random.next() * keys.length)]!;
        added.set(name, (added.get(name) ?? 0) + 1);
        const priority = count % 7 === 0 ? 'urgent' : 'routine';
        queue.add(name, count % 5 === 0 ? { priority, afterMs: 2 } : { priority });
      }
      await clock.advance(1);
    }
    await clock.runAll();
    assert.deepEqual(seen, new Map([...seen.keys()].map((name) => [name, added.get(name) ?? 0])));
    assert.equal(seen.size, keys.length);
    assert.deepEqual(twiceAtOnce, []);
    assert.deepEqual([queue.size, running.size], [0, 0]);
  });
});
