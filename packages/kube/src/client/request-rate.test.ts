import assert from 'node:assert/strict';
import { sleep } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import * as fc from 'fast-check';
import type { RequestPriority } from './request-slots.ts';
import { RequestRate, type RateLimit } from './request-rate.ts';

const { signal } = new AbortController();

/** Takes a token for each entry at once. Returns when each was granted, in order. */
async function takeAll(limit: RateLimit, priorities: readonly RequestPriority[]) {
  const clock = virtualClock();
  const rate = new RequestRate(limit, clock);
  const granted: { index: number; atMs: number }[] = [];
  const taking = priorities.map(async (priority, index) => {
    await rate.take(priority, signal);
    granted.push({ index, atMs: clock.monotonic() });
  });
  await clock.runAll();
  await Promise.all(taking);
  return { granted, pending: clock.pending };
}

describe('request rate', () => {
  it('admits a burst at once and the rest one by one', async () => {
    const { granted, pending } = await takeAll({ perSecond: 20, burst: 3 }, states(6));
    const times = granted.map(({ atMs }) => Math.round(atMs));
    assert.deepEqual(times, [0, 0, 0, 50, 100, 150]);
    assert.equal(pending, 0);
  });

  it('grants tokens at the same times as a naive bucket, however requests arrive', async () => {
    const scenario = fc.record({
      perSecond: fc.oneof(
        fc.integer({ min: 1, max: 5_000 }),
        fc.double({ min: 0.3, max: 50, noNaN: true }),
      ),
      burst: fc.integer({ min: 1, max: 8 }),
      gapsMs: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ perSecond, burst, gapsMs }) => {
        const clock = virtualClock();
        const rate = new RequestRate({ perSecond, burst }, clock);
        const atMs: number[] = [];
        const taking = (async () => {
          const all: Promise<unknown>[] = [];
          for (const gapMs of gapsMs) {
            await sleep(clock, gapMs);
            all.push(rate.take('state', signal).then(() => atMs.push(clock.monotonic())));
          }
          await Promise.all(all);
        })();
        await clock.runAll();
        await taking;
        assert.equal(atMs.length, gapsMs.length);
        const wanted = naiveTimes({ perSecond, burst }, gapsMs);
        const differenceMs = atMs.map((grantedMs, index) => grantedMs - (wanted[index] ?? 0));
        assert.ok(
          differenceMs.every((ms) => Math.abs(ms) < 0.001),
          `${atMs.join()} is not ${wanted.join()}`,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('serves state changes first, and one background request in ten while they wait', async () => {
    const priorities: RequestPriority[] = [
      ...Array<RequestPriority>(2).fill('background'),
      ...states(30),
    ];
    const { granted } = await takeAll({ perSecond: 10, burst: 1 }, priorities);
    const order = granted.map(({ index }) => priorities[index]);
    // The first one arrived before any other request.
    const positions = [...order.keys()].filter((at) => order[at] === 'background');
    assert.deepEqual(positions, [0, 10]);
    const stateOrder = granted.map(({ index }) => index).filter((index) => index >= 2);
    assert.deepEqual(
      stateOrder,
      stateOrder.toSorted((a, b) => a - b),
    );
  });

  it('rejects a waiting caller when its signal aborts, and keeps neither its timer nor its token', async () => {
    const clock = virtualClock();
    const rate = new RequestRate({ perSecond: 1, burst: 1 }, clock);
    await rate.take('state', signal);
    const abort = new AbortController();
    const leaving = rate.take('state', abort.signal);
    assert.equal(clock.pending, 1);
    abort.abort(new Error('stop'));
    await assert.rejects(leaving, /stop/);
    assert.equal(clock.pending, 0);
    await assert.rejects(rate.take('state', abort.signal), /stop/);
    await clock.advance(1_000);
    await rate.take('background', signal);
    assert.equal(clock.pending, 0);
  });

  it('rejects an invalid rate or burst', () => {
    const clock = virtualClock();
    for (const perSecond of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => new RequestRate({ perSecond, burst: 1 }, clock), /the rate must be/);
    }
    for (const burst of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => new RequestRate({ perSecond: 1, burst }, clock), /the burst must be/);
    }
  });
});

function states(count: number): RequestPriority[] {
  return Array<RequestPriority>(count).fill('state');
}

/** A naive bucket that counts fractions of tokens, one request after the other. */
function naiveTimes({ perSecond, burst }: RateLimit, gapsMs: readonly number[]): number[] {
  let [tokens, atMs, comesMs] = [burst, 0, 0];
  return gapsMs.map((gapMs) => {
    comesMs += gapMs;
    const fromMs = Math.max(atMs, comesMs);
    tokens = Math.min(burst, tokens + ((fromMs - atMs) * perSecond) / 1_000);
    atMs = tokens > 1 - 1e-9 ? fromMs : fromMs + ((1 - tokens) * 1_000) / perSecond;
    tokens = tokens > 1 - 1e-9 ? tokens - 1 : 0;
    return atMs;
  });
}
