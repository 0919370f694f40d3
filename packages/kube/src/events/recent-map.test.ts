import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { RecentMap } from './recent-map.ts';

describe('RecentMap', () => {
  it('forgets values that were not used for a while', async () => {
    const clock = virtualClock();
    const map = new RecentMap({ clock, idleMsMax: 100, sizeMax: 10 });
    map.use('old', () => 1);
    await clock.advance(80);
    map.use('young', () => 2);
    await clock.advance(80);
    assert.equal(
      map.use('young', () => 3),
      2,
    );
    assert.deepEqual([map.size, map.get('old')], [1, undefined]);
    await clock.advance(101);
    assert.equal(
      map.use('young', () => 3),
      3,
    );
  });

  it('stays within its size: it forgets the longest unused values, but none that are held', () => {
    const clock = virtualClock();
    const map = new RecentMap<string>({
      clock,
      idleMsMax: 100,
      sizeMax: 10,
      isHeld: (value) => value === 'held',
    });
    map.use('first', () => 'held');
    for (let count = 0; count < 10_000; count++) map.use(`key-${count}`, () => 'free');
    assert.equal(map.get('first'), 'held');
    assert.ok(map.size <= 11, `${map.size}`);
    assert.equal(map.get('key-9999'), 'free');
  });
});
