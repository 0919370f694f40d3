import assert from 'node:assert/strict';
import { sleep } from './clock.ts';
import { deadline, DeadlineExceededError, untilAborted, withDeadline } from './deadline.ts';
import { virtualClock } from './testing/virtual-clock.ts';

describe('deadline', () => {
  it('reports its limit in whole milliseconds', () => {
    assert.equal(new DeadlineExceededError(7_990.218505).message, 'no answer within 7990 ms');
  });

  it('aborts when its time is up, with an error that carries the limit', async () => {
    const clock = virtualClock();
    using scope = deadline(clock, 100);
    await clock.advance(99);
    assert.equal(scope.signal.aborted, false);
    await clock.advance(1);
    assert.ok(scope.signal.reason instanceof DeadlineExceededError);
    assert.equal(scope.signal.reason.limitMs, 100);
  });

  it('aborts with the reason of whichever signal aborts first', () => {
    const first = new AbortController();
    const second = new AbortController();
    using scope = deadline(virtualClock(), 100, first.signal, undefined, second.signal);
    second.abort(new Error('lost the lease'));
    first.abort(new Error('shutting down'));
    assert.match(String(scope.signal.reason), /lost the lease/);
  });

  it('is aborted from the start if a signal has already aborted', () => {
    using scope = deadline(virtualClock(), 100, AbortSignal.abort(new Error('before')));
    assert.match(String(scope.signal.reason), /before/);
  });

  it('removes its timer and its listeners when it is disposed of', () => {
    const clock = virtualClock();
    const parent = new AbortController();
    const scope = deadline(clock, 100, parent.signal);
    scope[Symbol.dispose]();
    assert.equal(clock.pending, 0);
    parent.abort(new Error('later'));
    assert.equal(scope.signal.aborted, false);
  });
});

describe('withDeadline', () => {
  it('returns the result of work that finishes in time, and removes its timer', async () => {
    const clock = virtualClock();
    const working = withDeadline({ clock, limitMs: 100 }, async () => {
      await sleep(clock, 50);
      return 'done';
    });
    await clock.advance(50);
    assert.equal(await working, 'done');
    assert.equal(clock.pending, 0);
  });

  it('rejects when the time is up, even if the work ignores the signal', async () => {
    const clock = virtualClock();
    const refused = assert.rejects(
      withDeadline({ clock, limitMs: 100 }, () => new Promise<never>(() => {})),
      { code: 'DeadlineExceeded' },
    );
    await clock.advance(100);
    await refused;
  });

  it('does not start work if the signal has already aborted', async () => {
    const signal = AbortSignal.abort(new Error('over'));
    const working = withDeadline({ clock: virtualClock(), limitMs: 100, signal }, () =>
      assert.fail('started'),
    );
    await assert.rejects(working, /over/);
  });

  it('passes an error of the work through unchanged', async () => {
    const failure = new Error('refused');
    const working = withDeadline({ clock: virtualClock(), limitMs: 100 }, () =>
      Promise.reject(failure),
    );
    await assert.rejects(working, failure);
  });
});

describe('untilAborted', () => {
  it('ignores a rejection of the abandoned promise', async () => {
    const abandoned = Promise.reject(new Error('ignored'));
    const signal = AbortSignal.abort(new Error('gone'));
    await assert.rejects(untilAborted(signal, abandoned), /gone/);
  });
});
