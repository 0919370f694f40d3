import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sleep } from './clock.ts';
import { Limiter } from './limiter.ts';
import { virtualClock } from './testing/virtual-clock.ts';

const neverRun = (): Promise<never> => assert.fail('ran');

describe('limiter', () => {
  it('runs every task, in order, and never more at once than allowed', async () => {
    const scenario = fc.record({
      concurrency: fc.integer({ min: 1, max: 4 }),
      durationsMs: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ concurrency, durationsMs }) => {
        const clock = virtualClock();
        const limiter = new Limiter({ concurrency });
        const started: number[] = [];
        const runs = durationsMs.map((durationMs, index) =>
          limiter.run(async () => {
            started.push(index);
            assert.ok(limiter.active <= concurrency);
            await sleep(clock, durationMs);
          }),
        );
        await clock.runAll();
        await Promise.all(runs);
        assert.deepEqual(started, [...durationsMs.keys()]);
        assert.deepEqual([limiter.active, limiter.waiting], [0, 0]);
      }),
      { numRuns: 50 },
    );
  });

  it('gives the slot of a failed task to the next', async () => {
    const limiter = new Limiter({ concurrency: 1 });
    const failing = assert.rejects(
      limiter.run(() => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await limiter.run(() => Promise.resolve('next')), 'next');
    await failing;
  });

  it('rejects a waiting caller when its signal aborts, and does not run its task', async () => {
    const clock = virtualClock();
    const limiter = new Limiter({ concurrency: 1 });
    const abort = new AbortController();
    const holding = limiter.run(() => sleep(clock, 10));
    const leaving = assert.rejects(limiter.run(neverRun, abort.signal), /stop/);
    abort.abort(new Error('stop'));
    await leaving;
    assert.equal(limiter.waiting, 0);
    await clock.advance(10);
    await holding;
    assert.equal(limiter.active, 0);
  });

  it('does not run a task whose signal aborts as its slot becomes free', async () => {
    const clock = virtualClock();
    const limiter = new Limiter({ concurrency: 1 });
    const abort = new AbortController();
    const holding = limiter.run(async () => {
      await sleep(clock, 10);
      // Aborts after the slot was handed over and before its new owner resumes.
      queueMicrotask(() => queueMicrotask(() => abort.abort(new Error('late'))));
    });
    const late = assert.rejects(limiter.run(neverRun, abort.signal), /late/);
    const next = limiter.run(() => Promise.resolve('next'));
    await clock.advance(10);
    await Promise.all([holding, late]);
    assert.equal(await next, 'next');
  });

  it('refuses a caller at once when its signal has aborted or the queue is full', async () => {
    const clock = virtualClock();
    const limiter = new Limiter({ concurrency: 1, waitingMax: 1 });
    const runs = [limiter.run(() => sleep(clock, 1)), limiter.run(() => sleep(clock, 1))];
    await assert.rejects(limiter.run(neverRun), { code: 'LimiterFull' });
    await assert.rejects(limiter.run(neverRun, AbortSignal.abort(new Error('over'))), /over/);
    await clock.runAll();
    await Promise.all(runs);
  });

  it('rejects a concurrency that is not a whole number of at least 1', () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => new Limiter({ concurrency }), RangeError);
    }
  });
});
