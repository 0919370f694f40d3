import assert from 'node:assert/strict';
import { sleep } from './clock.ts';
import { deadline, DeadlineExceededError, untilAborted, withDeadline } from './deadline.ts';
import { virtualClock } from './testing/virtual-clock.ts';

describe('deadline', () => {
  it('is told in whole milliseconds', () => {
    assert.equal(new DeadlineExceededError(7_990.218505).message, 'no answer within 7990 ms');
  });

  it('aborts with its limit once the time is up', async () => {
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

  it('is aborted from the start when a signal was', () => {
    using scope = deadline(virtualClock(), 100, AbortSignal.abort(new Error('before')));
    assert.match(String(scope.signal.reason), /before/);
  });

  it('leaves neither timer nor listener behind', () => {
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
  it('gives the result of work that is done in time, and its timer goes', async () => {
    const clock = virtualClock();
    const working = withDeadline({ clock, limitMs: 100 }, async () => {
      await sleep(clock, 50);
      return 'done';
    });
    await clock.advance(50);
    assert.equal(await working, 'done');
    assert.equal(clock.pending, 0);
  });

  it('rejects when the time is up although the work never listens', async () => {
    const clock = virtualClock();
    const refused = assert.rejects(
      withDeadline({ clock, limitMs: 100 }, () => new Promise<never>(() => {})),
      { code: 'DeadlineExceeded' },
    );
    await clock.advance(100);
    await refused;
  });

  it('does not start work whose signal has aborted before', async () => {
    const signal = AbortSignal.abort(new Error('over'));
    const working = withDeadline({ clock: virtualClock(), limitMs: 100, signal }, () =>
      assert.fail('started'),
    );
    await assert.rejects(working, /over/);
  });

  it('passes the failure of the work on as it is', async () => {
    const failure = new Error('refused');
    const working = withDeadline({ clock: virtualClock(), limitMs: 100 }, () =>
      Promise.reject(failure),
    );
    await assert.rejects(working, failure);
  });
});

describe('untilAborted', () => {
  it('swallows what the abandoned promise does afterwards', async () => {
    const abandoned = Promise.reject(new Error('nobody listens'));
    const signal = AbortSignal.abort(new Error('gone'));
    await assert.rejects(untilAborted(signal, abandoned), /gone/);
  });
});
