import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { ExpiringCache } from './expiring-cache.ts';

describe('a cache of answers', () => {
  it('forgets an answer when it expires', async () => {
    const clock = virtualClock();
    const cache = new ExpiringCache<string>({ clock, ttlMs: 10_000, entriesMax: 3 });
    cache.set('a', 'yes');
    await clock.advance(9_999);
    assert.equal(cache.get('a'), 'yes');
    await clock.advance(1);
    assert.equal(cache.get('a'), undefined);
    assert.equal(cache.size, 0);
  });

  it('holds at most the given number of answers, and drops the oldest', () => {
    const cache = new ExpiringCache<number>({ clock: virtualClock(), ttlMs: 1, entriesMax: 3 });
    for (let i = 0; i < 1_000; i++) cache.set(`key ${i}`, i);
    assert.equal(cache.size, 3);
    assert.equal(cache.get('key 996'), undefined);
    assert.equal(cache.get('key 997'), 997);
  });

  it('holds no answers when the time to live is 0', () => {
    const cache = new ExpiringCache<number>({ clock: virtualClock(), ttlMs: 0, entriesMax: 3 });
    cache.set('a', 1);
    assert.equal(cache.size, 0);
  });
});
