import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { goDuration, parseDuration } from './duration.ts';

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

  it('parses back to the same duration', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (given) => {
        assert.deepEqual(parseDuration(goDuration(given)), { kind: 'value', value: given });
      }),
    );
  });

  it('parses to the sum of its parts', () => {
    const units = { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 } as const;
    const part = fc.tuple(
      fc.integer({ min: 0, max: 5000 }),
      fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const read = parseDuration(parts.map(([number, unit]) => `${number}${unit}`).join(''));
        const want = parts.reduce((sum, [number, unit]) => sum + number * units[unit], 0);
        assert.ok(read.kind === 'value');
        assert.ok(Math.abs(read.value - want) < 1e-6 + want * 1e-12);
      }),
    );
  });
});
