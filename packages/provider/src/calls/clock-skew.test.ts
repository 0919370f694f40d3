import assert from 'node:assert/strict';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { ClockSkew, skewMsOf } from './clock-skew.ts';

const noon = Date.UTC(2026, 2, 1, 12, 0, 0);
const date = 'Sun, 01 Mar 2026 12:00:00 GMT';

describe('the difference between two clocks', () => {
  const cases = [
    {
      name: 'is unknown without a date',
      date: undefined,
      fromMs: noon,
      toMs: noon,
      want: undefined,
    },
    {
      name: 'is unknown for an invalid date',
      date: 'soon',
      fromMs: noon,
      toMs: noon,
      want: undefined,
    },
    { name: 'is zero within the second', date, fromMs: noon + 999, toMs: noon + 999, want: 0 },
    {
      name: 'is zero for a date during the call',
      date,
      fromMs: noon - 1,
      toMs: noon + 90_000,
      want: 0,
    },
    {
      name: 'is positive if our clock is ahead',
      date,
      fromMs: noon + 60_999,
      toMs: noon + 99_000,
      want: 60_000,
    },
    {
      name: 'is negative if our clock is behind',
      date,
      fromMs: noon - 90_000,
      toMs: noon - 60_000,
      want: -60_000,
    },
  ];
  for (const { name, want, ...given } of cases) {
    it(name, () => assert.equal(skewMsOf(given.date, given), want));
  }
});

describe('ClockSkew', () => {
  it('logs once that the clocks differ, and once that they agree again', () => {
    const clock = virtualClock({ startMs: noon + 400_000 });
    const log: string[] = [];
    const logger = createLogger({ clock, destination: { write: (line) => void log.push(line) } });
    const skew = new ClockSkew(clock, logger, 'EC2');
    assert.equal(skew.advice, undefined);
    for (let answer = 0; answer < 3; answer++) skew.note(date, clock.now());
    assert.equal(skew.ms, 399_001);
    assert.match(
      skew.advice ?? '',
      /^The clock of this machine is 399 s ahead of the clock of EC2/,
    );
    skew.note('nonsense', clock.now());
    skew.note('Sun, 01 Mar 2026 12:06:00 GMT', clock.now());
    assert.equal(skew.ms, 0);
    assert.deepEqual(
      log.map((line) => /"msg":"([^"]+)"/.exec(line)?.[1]),
      ['Clock differs from the cloud', 'Clock agrees with the cloud again'],
    );
  });
});
