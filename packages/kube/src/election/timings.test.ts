/** Tests which timings are valid, and the limits that follow from them. */
import assert from 'node:assert/strict';
import {
  findTimingProblems,
  lastWriteMs,
  upstreamTimings,
  writeLimitMs,
  writeTimeoutMs,
} from './timings.ts';

const timings = (leaseDurationMs: number, renewDeadlineMs: number, retryPeriodMs: number) => ({
  leaseDurationMs,
  renewDeadlineMs,
  retryPeriodMs,
});

describe('the timings of an election', () => {
  const cases = [
    { given: upstreamTimings, want: [] },
    { given: timings(3_000, 2_000, 400), want: [] },
    {
      given: timings(10_000, 10_000, 2_000),
      want: ['The lease duration (10 s) must be longer than the renew deadline (10 s).'],
    },
    {
      given: timings(15_000, 2_400, 2_000),
      want: ['The renew deadline (2.4 s) must be longer than 1.2 times the retry period (2 s).'],
    },
    {
      given: timings(5_000, 6_000, 7_000),
      want: [
        'The lease duration (5 s) must be longer than the renew deadline (6 s).',
        'The renew deadline (6 s) must be longer than 1.2 times the retry period (7 s).',
      ],
    },
    {
      given: timings(1_500, 1_000, 200),
      want: ['The lease duration must be a whole number of seconds, not 1.5 s.'],
    },
    {
      given: timings(0, -1_000, Number.NaN),
      want: [
        'The lease duration must be more than 0 s, not 0 s.',
        'The renew deadline must be more than 0 s, not -1 s.',
        'The retry period must be more than 0 s, not NaN s.',
      ],
    },
  ];
  for (const { given, want } of cases) {
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = given;
    const what = want.length === 0 ? 'are valid' : 'are rejected with every reason';
    it(`of ${leaseDurationMs}, ${renewDeadlineMs} and ${retryPeriodMs} ms ${what}`, () => {
      assert.deepEqual(findTimingProblems(given), want);
    });
  }

  it('limit a write to the time until another process may lead, with clocks that are 2 % off', () => {
    const { leaseDurationMs, renewDeadlineMs } = upstreamTimings;
    const limitMs = writeLimitMs(upstreamTimings);
    assert.equal(limitMs, 4_400);
    assert.ok((renewDeadlineMs + limitMs) / 0.98 <= leaseDurationMs / 1.02);
    assert.equal(writeLimitMs(timings(15_000, 14_900, 2_000)), 50);
  });

  it('make a successor wait until the last write of its predecessor has ended', () => {
    const { leaseDurationMs, renewDeadlineMs } = upstreamTimings;
    assert.deepEqual(
      [writeTimeoutMs(upstreamTimings), lastWriteMs(upstreamTimings)],
      [4_000, 12_000],
    );
    // The predecessor's clock is 2 % slow and the successor's 2 % fast; the server's are right.
    const sentMs = (renewDeadlineMs + writeLimitMs(upstreamTimings)) / 0.98;
    const overMs = sentMs + writeTimeoutMs(upstreamTimings) + 7_000;
    assert.ok(overMs <= (leaseDurationMs + lastWriteMs(upstreamTimings)) / 1.02);
    assert.equal(writeTimeoutMs(timings(15_000, 14_900, 2_000)), 50);
  });
});
