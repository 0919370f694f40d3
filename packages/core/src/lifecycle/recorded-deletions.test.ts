import assert from 'node:assert/strict';
import { array, assert as check, integer, property, record, string } from 'fast-check';
import { deletionMark, memoryText, readMemory, type Remembered } from './recorded-deletions.ts';

const noonMs = Date.UTC(2026, 0, 31, 12);

describe('the record of deletions', () => {
  const cases: { name: string; text: string | undefined; want: Remembered[]; isWhole: boolean }[] =
    [
      { name: 'is empty without the annotation', text: undefined, want: [], isWhole: true },
      { name: 'is empty with an empty annotation', text: '', want: [], isWhole: true },
      {
        name: 'has all nodes of one second',
        text: '2026-01-31T12:00:00Z=00000001,ffffffff',
        want: [
          { mark: '00000001', atMs: noonMs },
          { mark: 'ffffffff', atMs: noonMs },
        ],
        isWhole: true,
      },
      {
        name: 'keeps the valid parts of a damaged annotation',
        text: 'oops 2026-01-31T12:00:00Z=00000001 2026-13-31T12:00:00Z=00000002 2026-01-31T12:00:00Z=',
        want: [{ mark: '00000001', atMs: noonMs }],
        isWhole: false,
      },
    ];
  for (const { name, text, want, isWhole } of cases) {
    it(name, () => assert.deepEqual(readMemory(text), { deletions: want, isWhole }));
  }

  it('is written with the oldest deletion first, and with times rounded up', () => {
    const text = memoryText([
      { mark: '0000000b', atMs: noonMs + 1_001 },
      { mark: '0000000a', atMs: noonMs + 1_999 },
      { mark: '0000000c', atMs: noonMs },
    ]);
    assert.equal(text, '2026-01-31T12:00:00Z=0000000c 2026-01-31T12:00:02Z=0000000a,0000000b');
  });

  it('is read back as it was written, to the second', () => {
    const deletion = record({
      mark: string({ maxLength: 40 }).map(deletionMark),
      atMs: integer({ min: 0, max: 600_000 }).map((ms) => noonMs + ms),
    });
    check(
      property(array(deletion), (deletions) => {
        const back = readMemory(memoryText(deletions));
        assert.ok(back.isWhole);
        const keyOf = ({ mark, atMs }: Remembered): string => `${Math.ceil(atMs / 1_000)} ${mark}`;
        assert.deepEqual(new Set(back.deletions.map(keyOf)), new Set(deletions.map(keyOf)));
      }),
    );
  });

  it('is read from any text without an error', () => {
    check(property(string(), (text) => void readMemory(text)));
  });

  it('of a fifth of twenty thousand nodes fits into an annotation', () => {
    const deletions = Array.from({ length: 4_000 }, (_, index) => ({
      mark: deletionMark(`uid-${index}`),
      atMs: noonMs + index * 150,
    }));
    assert.ok(new Set(deletions.map(({ mark }) => mark)).size > 3_995, 'marks differ');
    assert.ok(memoryText(deletions).length < 100_000);
  });
});
