import assert from 'node:assert/strict';
import { humanDuration } from './human-duration.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const cases: readonly [seconds: number, want: string][] = [
  [-5, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 59, '9m59s'],
  [10 * minute + 1, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 5 * minute, '7h5m'],
  [8 * hour + 5 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day + hour, '2d1h'],
  [8 * day + hour, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [3 * 365 * day + 4 * day, '3y4d'],
  [9 * 365 * day, '9y'],
];

describe('ages in tables', () => {
  for (const [seconds, want] of cases) {
    it(`are ${want} after ${seconds} seconds`, () => {
      assert.equal(humanDuration(seconds * 1000), want);
    });
  }
});
