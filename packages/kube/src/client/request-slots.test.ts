import assert from 'node:assert/strict';
import { sleep } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import * as fc from 'fast-check';
import { RequestSlots, type RequestPriority } from './request-slots.ts';

const { signal } = new AbortController();

describe('request slots', () => {
  it('run every task, in order within each priority, and never more at once than allowed', async () => {
    const scenario = fc.record({
      concurrency: fc.integer({ min: 1, max: 5 }),
      tasks: fc.array(
        fc.record({
          priority: fc.constantFrom<RequestPriority>('state', 'background'),
          durationMs: fc.integer({ min: 0, max: 9 }),
        }),
        { maxLength: 20 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ concurrency, tasks }) => {
        const clock = virtualClock();
        const slots = new RequestSlots(concurrency);
        const started = { state: [] as number[], background: [] as number[] };
        const active = { state: 0, background: 0 };
        const runs = tasks.map(({ priority, durationMs }, index) =>
          slots.run(priority, signal, async () => {
            started[priority].push(index);
            active[priority]++;
            assert.ok(active.state + active.background <= concurrency);
            assert.ok(active.background <= Math.ceil(concurrency / 2));
            await sleep(clock, durationMs);
            active[priority]--;
          }),
        );
        await clock.runAll();
        await Promise.all(runs);
        for (const priority of ['state', 'background'] as const) {
          const all = [...tasks.keys()].filter((index) => tasks[index]?.priority === priority);
          assert.deepEqual(started[priority], all);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('give the slot of a failed task to the next', async () => {
    const slots = new RequestSlots(1);
    const failing = assert.rejects(
      slots.run('state', signal, () => Promise.reject(new Error('no'))),
    );
    assert.equal(await slots.run('state', signal, () => Promise.resolve('next')), 'next');
    await failing;
  });

  it('reject a waiting caller when its signal aborts', async () => {
    const clock = virtualClock();
    const slots = new RequestSlots(1);
    const holding = slots.run('state', signal, () => sleep(clock, 10));
    const abort = new AbortController();
    const leaving = slots.run('state', abort.signal, () => assert.fail('ran'));
    abort.abort(new Error('stop'));
    await assert.rejects(leaving, /stop/);
    await clock.runAll();
    await holding;
  });

  it('reject a concurrency that is not a whole number of at least 1', () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => new RequestSlots(concurrency), RangeError);
    }
  });
});
