import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertHits } from '../../../../test/support/hits.ts';
import { formatMicroTime, formatTime, isMicroTime, isTime } from './timestamps.ts';

/** Parts of times, many of them just out of range. */
const part = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
const aText = fc
  .record({
    year: fc.integer({ min: 0, max: 9999 }).map((n) => String(n).padStart(4, '0')),
    date: fc.tuple(part(14), part(33)),
    clock: fc.tuple(part(26), part(62), part(62)),
    fraction: fc.constantFrom('', '.5', '.123', '.000000', '.999999', '.1234567890'),
    zone: fc.constantFrom('Z', '+00:00', '-23:59', '+25:00', ''),
  })
  .map(
    ({ year, date, clock, fraction, zone }) =>
      `${[year, ...date].join('-')}T${clock.join(':')}${fraction}${zone}`,
  );

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

describe('times', () => {
  it('are texts that have their form and can be parsed', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(aText, (text) => {
          const fraction = shape.exec(text);
          const isReal = fraction !== null && !Number.isNaN(Date.parse(text));
          if (isReal) hit();
          assert.equal(isTime(text), isReal);
          assert.equal(isMicroTime(text), isReal && fraction[1]?.length === 7);
        }),
        { numRuns: 500 },
      ),
    );
  });

  it('are written to the second or to the microsecond, in any order of calls', () => {
    const instants = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(instants, (all) => {
        for (const epochMs of all) {
          const [second, fraction = ''] = new Date(epochMs).toISOString().split('.');
          assert.equal(formatTime(epochMs), `${second}Z`);
          assert.equal(formatMicroTime(epochMs), `${second}.${fraction.replace('Z', '000Z')}`);
        }
      }),
    );
  });

  it('can be read as they are written', () => {
    assert.ok(isTime(formatTime(0)) && isMicroTime(formatMicroTime(0)));
    assert.ok(!isMicroTime(formatTime(0)) && !isMicroTime(new Date(0).toISOString()));
  });
});
