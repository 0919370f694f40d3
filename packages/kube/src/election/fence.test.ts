/** Tests the fence as a function of two clocks. */
import assert from 'node:assert/strict';
import { clockJumpMsMax, Fence } from './fence.ts';

describe('the fence around the writes of a leader', () => {
  const clock = {
    monotonicMs: 0,
    wallMs: 0,
    now: () => clock.wallMs,
    monotonic: () => clock.monotonicMs,
    after: () => assert.fail('the fence needs no timer'),
  };

  /** The refusal of the fence after these times since a renewal was sent, on each clock. */
  function refusalAfter(elapsed: { monotonicMs: number; wallMs: number }): string | undefined {
    const fence = new Fence({ clock, renewDeadlineMs: 10_000 });
    Object.assign(clock, { monotonicMs: 500, wallMs: 1_000_000 });
    fence.open({ monotonicMs: 500, wallMs: 1_000_000 });
    clock.monotonicMs += elapsed.monotonicMs;
    clock.wallMs += elapsed.wallMs;
    const refusal = fence.refusal();
    return refusal === undefined
      ? undefined
      : `${refusal.message}, ${JSON.stringify(refusal.retry)}`;
  }

  const late = 'This process did not renew the Lease in time, "never"';
  const jumped = 'The wall clock jumped after the last renewal of the Lease, "backoff"';
  const lateByWall = 'The renew deadline of the Lease has passed on the wall clock, "backoff"';
  const cases = [
    { name: 'is open at once', monotonicMs: 0, wallMs: 0, want: undefined },
    {
      name: 'is open just before the deadline',
      monotonicMs: 9_999,
      wallMs: 9_999,
      want: undefined,
    },
    { name: 'is closed at the deadline', monotonicMs: 10_000, wallMs: 10_000, want: late },
    { name: 'is closed long after the deadline', monotonicMs: 90_000, wallMs: 90_000, want: late },
    { name: 'is closed after a suspension', monotonicMs: 10, wallMs: 30_010, want: jumped },
    {
      name: 'stays open after a small jump',
      monotonicMs: 10,
      wallMs: 10 - clockJumpMsMax,
      want: undefined,
    },
    {
      name: 'is closed after a jump backwards',
      monotonicMs: 10,
      wallMs: 9 - clockJumpMsMax,
      want: jumped,
    },
    {
      name: 'counts the time of a short suspension',
      monotonicMs: 6_000,
      wallMs: 10_000,
      want: lateByWall,
    },
  ];
  for (const { name, want, ...elapsed } of cases) {
    it(name, () => assert.equal(refusalAfter(elapsed), want));
  }

  it('is closed before it was opened and after it was closed, and refuses without effect', () => {
    const fence = new Fence({ clock, renewDeadlineMs: 10_000 });
    const assertClosed = (): void => {
      const { code, effect, retry } = fence.refusal() ?? {};
      assert.deepEqual([code, effect, retry], ['NotLeading', 'none', 'never']);
    };
    assertClosed();
    fence.open({ monotonicMs: clock.monotonicMs, wallMs: clock.wallMs });
    assert.equal(fence.refusal(), undefined);
    assert.equal(fence.remainingMs(), 10_000);
    fence.close();
    assertClosed();
    assert.equal(fence.remainingMs(), 0);
  });
});
