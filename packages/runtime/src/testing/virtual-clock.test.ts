import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sleep, systemClock } from '../clock.ts';
import { virtualClock } from './virtual-clock.ts';

describe('virtualClock', () => {
  it('stands still until it is moved', async () => {
    const clock = virtualClock({ startMs: 1_700_000_000_000 });
    let fired = false;
    clock.after(0, () => (fired = true));
    await Promise.resolve();
    assert.deepEqual([clock.now(), clock.monotonic(), fired], [1_700_000_000_000, 0, false]);
    await clock.advance(0);
    assert.equal(fired, true);
  });

  it('fires each timer at its due time, and timers of one instant in the order they were set', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(delays, async (delaysMs) => {
        const clock = virtualClock();
        const fired: { delayMs: number; index: number }[] = [];
        delaysMs.forEach((delayMs, index) => {
          clock.after(delayMs, () => {
            assert.equal(clock.monotonic(), delayMs);
            fired.push({ delayMs, index });
          });
        });
        await clock.advance(20);
        const want = delaysMs
          .map((delayMs, index) => ({ delayMs, index }))
          .toSorted((a, b) => a.delayMs - b.delayMs || a.index - b.index);
        assert.deepEqual(fired, want);
      }),
      { numRuns: 50 },
    );
  });

  it('never fires a cancelled timer, and does not count it as pending', async () => {
    const clock = virtualClock();
    const fired: number[] = [];
    const timers = [5, 1, 3].map((delayMs) => clock.after(delayMs, () => fired.push(delayMs)));
    timers[1]!.cancel();
    timers[1]!.cancel();
    assert.equal(clock.pending, 2);
    await clock.advance(10);
    assert.deepEqual(fired, [3, 5]);
    timers[0]!.cancel();
    assert.equal(clock.pending, 0);
  });

  it('lets the promises of one timer settle before it fires the next timer of the same instant', async () => {
    const clock = virtualClock();
    const trace: string[] = [];
    const worker = async (name: string): Promise<void> => {
      await sleep(clock, 10);
      trace.push(`${name} woke`);
      await Promise.resolve();
      trace.push(`${name} went on`);
    };
    const workers = [worker('a'), worker('b')];
    await clock.advance(10);
    await Promise.all(workers);
    assert.deepEqual(trace, ['a woke', 'a went on', 'b woke', 'b went on']);
  });

  it('fires a timer that another timer set, if it falls due within the same move', async () => {
    const clock = virtualClock();
    const ticksMs: number[] = [];
    const tick = (): void => {
      ticksMs.push(clock.monotonic());
      if (ticksMs.length < 4) clock.after(10, tick);
    };
    clock.after(10, tick);
    await clock.advance(35);
    assert.deepEqual(ticksMs, [10, 20, 30]);
    assert.equal(await clock.runAll(), 5);
    assert.deepEqual(ticksMs, [10, 20, 30, 40]);
  });

  it('fails if a timer re-arms itself endlessly', async () => {
    const clock = virtualClock();
    const again = (): void => void clock.after(1, again);
    again();
    await assert.rejects(clock.runAll({ timersMax: 100 }), /100 timers fired/);
  });

  it('rejects moves back in time, and delays that are not numbers', async () => {
    const clock = virtualClock();
    for (const byMs of [-1, Number.NaN]) await assert.rejects(clock.advance(byMs), RangeError);
    assert.throws(() => clock.after(Number.NaN, () => {}), RangeError);
    assert.throws(() => systemClock.after(Number.NaN, () => {}), RangeError);
  });

  it('adds up concurrent moves', async () => {
    const clock = virtualClock();
    const firedMs: number[] = [];
    for (const delayMs of [2, 5]) clock.after(delayMs, () => firedMs.push(clock.monotonic()));
    await Promise.all([clock.advance(3), clock.advance(3)]);
    assert.deepEqual([firedMs, clock.monotonic()], [[2, 5], 6]);
  });
});
