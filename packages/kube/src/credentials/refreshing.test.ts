import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { Refreshing } from './refreshing.ts';

function setUp({ goodMs = Number.POSITIVE_INFINITY } = {}) {
  const clock = virtualClock();
  const told: string[] = [];
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
      failed: (_, { isOldGood }) => told.push(isOldGood ? 'failed' : 'expired'),
      succeeded: () => told.push('read'),
    },
  });
  return { clock, state, value, told };
}

describe('a refreshing value', () => {
  it('is read once, however many ask, until it may have changed', async () => {
    const { clock, state, value } = setUp();
    assert.deepEqual(await Promise.all([value.get(), value.get(), value.get()]), [1, 1, 1]);
    await clock.advance(29_999);
    assert.equal(await value.get(), 1);
    await clock.advance(1);
    assert.deepEqual(await Promise.all([value.get(), value.get()]), [2, 2]);
    assert.equal(state.loads, 2);
  });

  it('stays as it was when it cannot be read anew, and is not tried again at once', async () => {
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

  it('fails where the old one has expired, and is not tried again at once', async () => {
    const { clock, state, value } = setUp({ goodMs: 30_000 });
    await value.get();
    state.failing = true;
    await clock.advance(30_000);
    for (let i = 0; i < 3; i++) await assert.rejects(value.get(), /gone/);
    assert.equal(state.loads, 2);
  });

  it('is tried again after growing pauses, stays in use until it expires, and tells all that', async () => {
    const { clock, state, value, told } = setUp({ goodMs: 90_000 });
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
    assert.deepEqual(told, ['failed', 'failed', 'failed', 'failed', 'expired', 'read']);
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

  describe('whose readings take a while', () => {
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

    it('is the renewed one for everybody who was refused at once', async () => {
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

    it('is the renewed one for those who are refused while it is read, and read once', async () => {
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

    it('is read once more for a refusal that came during a look at the old one', async () => {
      const { clock, value, readings, finish } = setUpSlow();
      const first = value.get();
      await finish('old');
      await first;
      await clock.advance(30_000);
      const look = value.get();
      const renewals = [value.renew(), value.renew()];
      await finish('old');
      assert.equal(await look, 'old');
      assert.equal(readings.length, 1, 'the look began before the refusal');
      await finish('new');
      assert.deepEqual(await Promise.all(renewals), ['new', 'new']);
    });

    it('is the old one for whoever has waited a moment, until that expires', async () => {
      const { clock, value, finish } = setUpSlow();
      const first = value.get();
      await finish('old');
      await first;
      await clock.advance(30_000);
      const waiting = value.get();
      await clock.advance(1_000);
      assert.equal(await waiting, 'old');
      assert.equal(await value.get(), 'old', 'nobody waits for the same reading again');
      assert.equal(clock.pending, 0);
      await clock.advance(29_000);
      const expired = value.get();
      await finish('new');
      assert.equal(await expired, 'new');
    });
  });
});
