import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime';
import { Refreshing } from './refreshing.ts';

function setUp({ isOldGoodEnough = true } = {}) {
  const clock = virtualClock();
  const state = { loads: 0, failing: false };
  const value = new Refreshing({
    clock,
    load: () => {
      state.loads++;
      return state.failing ? Promise.reject(new Error('gone')) : Promise.resolve(state.loads);
    },
    freshMs: () => 30_000,
    isOldGoodEnough,
  });
  return { clock, state, value };
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

  it('is known without waiting only while it needs no second look', async () => {
    const { clock, state, value } = setUp();
    assert.equal(value.fresh, undefined);
    await value.get();
    await clock.advance(29_999);
    assert.equal(value.fresh, 1);
    await clock.advance(1);
    assert.equal(value.fresh, undefined);
    assert.equal(state.loads, 1);
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

  it('fails where an old one is no good, and is not tried again at once', async () => {
    const { clock, state, value } = setUp({ isOldGoodEnough: false });
    await value.get();
    state.failing = true;
    await clock.advance(30_000);
    for (let i = 0; i < 3; i++) await assert.rejects(value.get(), /gone/);
    assert.equal(state.loads, 2);
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
});
