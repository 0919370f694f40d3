import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { Refreshing } from './refreshing.ts';

function setUp({ goodMs = Number.POSITIVE_INFINITY } = {}) {
  const clock = virtualClock();
  const reports: string[] = [];
  const state = { loads: 0, failing: false };
  const value = new Refreshing({
    clock,
    load: () => {
      state.loads++;
      return state.failing ? Promise.reject(new Error('gone')) : Promise.resolve(state.loads);
    },
    freshMs: () => 30_000,
    goodMs: () => goodMs,
    renewEveryMs: 10_000,
    telemetry: {
      failed: (_, { isOldGood }) => reports.push(isOldGood ? 'failed' : 'expired'),
      succeeded: () => reports.push('read'),
    },
  });
  return { clock, state, value, reports };
}

describe('a refreshing value', () => {
  it('is read once for all callers, and again when it is no longer fresh', async () => {
    const { clock, state, value } = setUp();
    assert.deepEqual(await Promise.all([value.get(), value.get(), value.get()]), [1, 1, 1]);
    await clock.advance(29_999);
    assert.equal(await value.get(), 1);
    await clock.advance(1);
    assert.deepEqual(await Promise.all([value.get(), value.get()]), [2, 2]);
    assert.equal(state.loads, 2);
  });

  it('stays the same if a read fails, and is not read again at once', async () => {
    const { clock, state, value } = setUp();
    await value.get();
    state.failing = true;
    await clock.advance(30_000);
    assert.deepEqual([await value.get(), await value.get()], [1, 1]);
    assert.equal(state.loads, 2);
    state.failing = false;
    await clock.advance(10_000);
    assert.equal(await value.get(), 3);
  });

  it('rejects if the read fails after it has expired, and is not read again at once', async () => {
    const { clock, state, value } = setUp({ goodMs: 30_000 });
    await value.get();
    state.failing = true;
    await clock.advance(30_000);
    for (let i = 0; i < 3; i++) await assert.rejects(value.get(), /gone/);
    assert.equal(state.loads, 2);
  });

  it('is read again after growing pauses, stays in use until it expires, and reports every result', async () => {
    const { clock, state, value, reports } = setUp({ goodMs: 90_000 });
    await value.get();
    state.failing = true;
    const triedAtMs: number[] = [];
    for (let second = 1; second < 90; second += 1) {
      await clock.advance(1_000);
      const { loads } = state;
      assert.equal(await value.get(), 1);
      if (state.loads > loads) triedAtMs.push(clock.monotonic());
    }
    assert.deepEqual(triedAtMs, [30_000, 35_000, 45_000, 65_000]);
    await clock.advance(10_000);
    await assert.rejects(value.get(), /gone/);
    state.failing = false;
    await clock.advance(30_000);
    assert.equal(await value.get(), 7);
    assert.deepEqual(reports, ['failed', 'failed', 'failed', 'failed', 'expired', 'read']);
  });

  it('is renewed at once when a server refuses it, but not for every refusal', async () => {
    const { clock, state, value } = setUp();
    await value.get();
    assert.deepEqual([await value.renew(), await value.renew()], [2, 2]);
    await clock.advance(10_000);
    assert.equal(await value.renew(), 3);
    state.failing = true;
    await clock.advance(10_000);
    await assert.rejects(value.renew(), /gone/);
  });

  describe('with slow reads', () => {
    function setUpSlow() {
      const clock = virtualClock();
      const readings: ((text: string) => void)[] = [];
      const value = new Refreshing({
        clock,
        load: () => new Promise<string>((resolve) => readings.push(resolve)),
        freshMs: () => 30_000,
        goodMs: () => 60_000,
        renewEveryMs: 10_000,
        telemetry: { failed: () => undefined, succeeded: () => undefined },
      });
      const finish = (text: string): Promise<void> => {
        readings.shift()?.(text);
        return clock.advance(0);
      };
      return { clock, value, readings, finish };
    }

    it('is the renewed value for all concurrent refusals', async () => {
      const { clock, value, readings, finish } = setUpSlow();
      const first = value.get();
      await finish('old');
      assert.equal(await first, 'old');
      const renewals = [value.renew(), value.renew(), value.renew()];
      await clock.advance(0);
      assert.equal(readings.length, 1);
      await finish('new');
      assert.deepEqual(await Promise.all(renewals), ['new', 'new', 'new']);
    });

    it('is read once for refusals that arrive during that read', async () => {
      const { clock, value, readings, finish } = setUpSlow();
      const first = value.get();
      await finish('old');
      await first;
      const renewals: Promise<unknown>[] = [];
      for (let refused = 0; refused < 3; refused += 1) {
        renewals.push(value.renew());
        await clock.advance(100);
      }
      assert.equal(readings.length, 1);
      await finish('new');
      assert.deepEqual(await Promise.all(renewals), ['new', 'new', 'new']);
    });

    it('is read again for a refusal that arrived during a read of the old value', async () => {
      const { clock, value, readings, finish } = setUpSlow();
      const first = value.get();
      await finish('old');
      await first;
      await clock.advance(30_000);
      const earlier = value.get();
      const renewals = [value.renew(), value.renew()];
      await finish('old');
      assert.equal(await earlier, 'old');
      assert.equal(readings.length, 1, 'the earlier read began before the refusal');
      await finish('new');
      assert.deepEqual(await Promise.all(renewals), ['new', 'new']);
    });

    it('is the old value for a caller that has waited a second, until the old value expires', async () => {
      const { clock, value, finish } = setUpSlow();
      const first = value.get();
      await finish('old');
      await first;
      await clock.advance(30_000);
      const waiting = value.get();
      await clock.advance(1_000);
      assert.equal(await waiting, 'old');
      assert.equal(await value.get(), 'old', 'no caller waits for the same read again');
      assert.equal(clock.pending, 0);
      await clock.advance(29_000);
      const expired = value.get();
      await finish('new');
      assert.equal(await expired, 'new');
    });
  });
});
