import assert from 'node:assert/strict';
import type { Clock } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { Silence } from './silence.ts';

describe('Silence', () => {
  it('aborts when the stream has been silent for the allowed time, and not before', async () => {
    const clock = virtualClock();
    using silence = new Silence(clock, new AbortController().signal, 100);
    await clock.advance(60);
    silence.heard(clock.monotonic());
    await clock.advance(99);
    assert.deepEqual([silence.isBroken, silence.signal.aborted], [false, false]);
    await clock.advance(1);
    assert.deepEqual([silence.isBroken, silence.signal.aborted], [true, true]);
  });

  it('sets its timer only a few times, even on a clock that drifts', async () => {
    const startMs = 1e9;
    for (let percent = 90; percent < 110; percent++) {
      const virtual = virtualClock();
      await virtual.advance(startMs);
      const rate = percent / 100;
      let timers = 0;
      const drifting: Clock = {
        now: () => virtual.now(),
        monotonic: () => (virtual.monotonic() - startMs) * rate,
        after(delayMs, callback) {
          timers++;
          assert.ok(timers < 10, 'sets its timer again without end');
          return virtual.after(delayMs / rate, callback);
        },
      };
      using silence = new Silence(drifting, new AbortController().signal, 100);
      await virtual.advance(200);
      assert.equal(silence.isBroken, true);
    }
  });

  it('aborts with its parent signal, and leaves no timer behind', async () => {
    const clock = virtualClock();
    const parent = new AbortController();
    {
      using silence = new Silence(clock, parent.signal, 100);
      parent.abort(new Error('stop'));
      assert.match(String(silence.signal.reason), /stop/);
      assert.equal(silence.isBroken, false);
    }
    assert.equal(clock.pending, 0);
  });
});
