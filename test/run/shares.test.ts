import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { shareOut, type Sharing } from './shares.ts';

const files = ['a/1', 'a/2', 'b/1', 'b/2', 'c/1'];

describe('the shares of a suite', () => {
  const cases: readonly { name: string; sharing: Sharing; want: readonly string[][] }[] = [
    {
      name: 'in turn',
      sharing: { kind: 'in turn', processes: 2 },
      want: [
        ['a/1', 'b/1', 'c/1'],
        ['a/2', 'b/2'],
      ],
    },
    { name: 'for one process', sharing: { kind: 'in turn', processes: 1 }, want: [files] },
    {
      name: 'by place, and the rest together',
      sharing: { kind: 'by place', places: [['b/**', 'a/2']] },
      want: [
        ['a/1', 'c/1'],
        ['a/2', 'b/1', 'b/2'],
      ],
    },
    {
      name: 'by the first of two places',
      sharing: { kind: 'by place', places: [['a/**'], ['**']] },
      want: [
        ['a/1', 'a/2'],
        ['b/1', 'b/2', 'c/1'],
      ],
    },
    {
      name: 'without one for a place that has no file',
      sharing: { kind: 'by place', places: [['z/**']] },
      want: [files],
    },
  ];
  for (const { name, sharing, want } of cases) {
    it(`are dealt out ${name}`, () => {
      assert.deepEqual(shareOut(files, sharing), want);
    });
  }

  it('have every file once, in its order, and none is empty', () => {
    const pattern = fc.constantFrom('a/**', 'b/*', 'c/1', '*/2', 'z');
    const sharing: fc.Arbitrary<Sharing> = fc.oneof(
      fc.record({ kind: fc.constant('in turn'), processes: fc.integer({ min: 1, max: 7 }) }),
      fc.record({ kind: fc.constant('by place'), places: fc.array(fc.array(pattern)) }),
    );
    fc.assert(
      fc.property(fc.subarray(files), sharing, (given, way) => {
        const shares = shareOut(given, way);
        assert.deepEqual(shares.flat().toSorted(), given);
        for (const share of shares) {
          assert.ok(share.length > 0);
          assert.deepEqual(share, share.toSorted());
        }
      }),
    );
  });
});
