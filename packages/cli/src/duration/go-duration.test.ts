import assert from 'node:assert/strict';
import { goDuration } from './go-duration.ts';

describe('a duration as Go prints it', () => {
  const cases: [number, string][] = [
    [0, '0s'],
    [250, '250ms'],
    [1_500, '1.5s'],
    [15_000, '15s'],
    [60_000, '1m0s'],
    [300_000, '5m0s'],
    [90_500, '1m30.5s'],
    [3_600_000, '1h0m0s'],
    [90_061_000, '25h1m1s'],
    [-5_000, '-5s'],
  ];
  for (const [ms, want] of cases) it(`is ${want}`, () => assert.equal(goDuration(ms), want));
});
