import assert from 'node:assert/strict';
import { sleep, systemClock } from './clock.ts';
import { virtualClock } from './testing/virtual-clock.ts';

describe('systemClock', () => {
  it('never fires a timer early or synchronously, even in a long turn of the event loop', async () => {
    let firedSynchronously = true;
    const turnMs = systemClock.monotonic();
    while (systemClock.monotonic() - turnMs < 4);
    const startMs = systemClock.monotonic();
    const fired = new Promise<number>((resolve) => {
      systemClock.after(3, () => resolve(systemClock.monotonic()));
    });
    firedSynchronously = false;
    assert.ok((await fired) - startMs >= 3);
    assert.equal(firedSynchronously, false);
  });

  it('never fires a cancelled timer, and allows a second cancel', async () => {
    const cancelled = systemClock.after(0, () => assert.fail('fired'));
    cancelled.cancel();
    cancelled.cancel();
    await sleep(systemClock, 2);
  });

  it('does not fire a timer at once if its delay exceeds the maximum of Node’s timers', async () => {
    const distant = systemClock.after(2 ** 40, () => assert.fail('fired'));
    await sleep(systemClock, 2);
    distant.cancel();
  });
});

describe('sleep', () => {
  it('rejects with the reason of the signal and leaves no timer', async () => {
    const clock = virtualClock();
    const abort = new AbortController();
    const sleeping = assert.rejects(sleep(clock, 1000, abort.signal), /shutting down/);
    abort.abort(new Error('shutting down'));
    await sleeping;
    assert.equal(clock.pending, 0);
  });

  it('rejects at once if the signal has already aborted', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await assert.rejects(sleep(virtualClock(), 1, signal), /too late/);
  });
});
