import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Clock } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { DelayQueue } from './delay-queue.ts';

const priority = 'routine';

describe('DelayQueue', () => {
  it('releases keys in the order of their times, whatever keys are added, moved and removed', async () => {
    const change = fc.record({
      key: fc.nat({ max: 15 }).map(String),
      dueMs: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 60 }), async (changes) => {
        const clock = virtualClock();
        const left: [string, number][] = [];
        const line = new DelayQueue(clock, (key) => left.push([key, clock.monotonic()]));
        const want = new Map<string, number>();
        for (const { key, dueMs } of changes) {
          if (dueMs === undefined) {
            assert.equal(line.remove(key)?.dueMs, want.get(key));
            want.delete(key);
          } else {
            line.add(key, { dueMs, priority });
            want.set(key, Math.min(dueMs, want.get(key) ?? dueMs));
          }
          assert.equal(line.size, want.size);
          assert.equal(clock.pending, want.size === 0 ? 0 : 1);
        }
        await clock.runAll();
        assert.deepEqual(new Map(left), want);
        assert.deepEqual(
          left.map(([, ms]) => ms),
          [...want.values()].toSorted((a, b) => a - b),
        );
        assert.equal(line.size, 0);
      }),
      { numRuns: 100 },
    );
  });

  it('holds no timer once it is cleared', () => {
    const clock = virtualClock();
    const line = new DelayQueue(clock, () => assert.fail('fell due'));
    line.add('a', { dueMs: 10, priority });
    line.add('b', { dueMs: 5, priority });
    line.clear();
    assert.deepEqual([line.size, clock.pending], [0, 0]);
  });

  it('keeps waiting if a timer fires slightly early, as timers of Node.js do', async () => {
    const inner = virtualClock();
    let earlyMs = 0.4;
    const after: Clock['after'] = (delayMs, done) => {
      const timer = inner.after(delayMs - earlyMs, done);
      earlyMs = 0;
      return timer;
    };
    const left: number[] = [];
    const line = new DelayQueue({ ...inner, after }, () => left.push(inner.monotonic()));
    line.add('a', { dueMs: 10, priority });
    await inner.advance(9.9);
    assert.deepEqual([left, line.size], [[], 1]);
    await inner.advance(0.1);
    assert.deepEqual([left, line.size], [[10], 0]);
  });
});
