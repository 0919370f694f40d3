import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Bitmap, countBits, lowestBit } from './bitmap.ts';
import { createBitmap } from './sparse-bitmap.ts';

describe('a bitmap', () => {
  for (const size of [1, 2, 16, 32, 64, 1_024, 2 ** 15, 2 ** 16, 2 ** 18]) {
    it(`of ${size} bits agrees with an array of booleans`, () => {
      fc.assert(
        fc.property(
          changesIn(size),
          fc.array(placeIn(size), { maxLength: 5 }),
          (changes, places) => {
            const [bitmap, naive] = [createBitmap(size), new Uint8Array(size)];
            for (const { action, first, last } of changes) {
              bitmap[action](first, last);
              naive.fill(action === 'set' ? 1 : 0, first, last + 1);
              assert.equal(
                bitmap.used,
                naive.reduce((sum, bit) => sum + bit, 0),
              );
              for (const from of [0, first, last, ...places]) {
                assert.equal(find(bitmap, from), naive.indexOf(0, from), `from ${from}`);
              }
            }
          },
        ),
        { numRuns: size > 2 ** 16 ? 10 : 50 },
      );
    });
  }

  it('of 2^53 bits sets and clears its first bit, its last bit and large ranges', () => {
    const size = 2 ** 53;
    const bitmap = createBitmap(size);
    bitmap.set(0, size - 2);
    assert.deepEqual([bitmap.used, find(bitmap, 0)], [size - 1, size - 1]);
    bitmap.set(size - 1, size - 1);
    assert.deepEqual([bitmap.used, find(bitmap, 0)], [size, -1]);
    bitmap.clear(2 ** 40 + 7, 2 ** 52);
    assert.deepEqual([find(bitmap, 0), find(bitmap, 2 ** 41)], [2 ** 40 + 7, 2 ** 41]);
    assert.deepEqual([find(bitmap, 2 ** 52), find(bitmap, 2 ** 52 + 1)], [2 ** 52, -1]);
    assert.equal(bitmap.used, size - (2 ** 52 - 2 ** 40 - 7 + 1));
  });

  it('of 262,144 bits finds a clear bit in at most eight words, wherever the clear bits are', () => {
    const size = 262_144;
    const bitmap = createBitmap(size);
    bitmap.set(0, size - 1);
    const worst = { words: 0 };
    fc.assert(
      fc.property(
        fc.array(placeIn(size), { minLength: 1, maxLength: 3 }),
        placeIn(size),
        (clear, from) => {
          for (const place of clear) bitmap.clear(place, place);
          const probes = { words: 0 };
          const behind = bitmap.findClear(from, probes);
          const found = behind >= 0 ? behind : bitmap.findClear(0, probes);
          assert.ok(clear.includes(found));
          assert.ok(probes.words <= 8, `${probes.words} words`);
          worst.words = Math.max(worst.words, probes.words);
          for (const place of clear) bitmap.set(place, place);
        },
      ),
      { numRuns: 2_000 },
    );
    // This proves that the worst case occurred.
    assert.equal(worst.words, 8);
  });
});

describe('words of 32 bits', () => {
  it('have the same bit count and lowest bit as their binary text', () => {
    fc.assert(
      fc.property(fc.integer(), (word) => {
        const text = (word >>> 0).toString(2);
        assert.equal(countBits(word), text.replaceAll('0', '').length);
        if (word !== 0) assert.equal(lowestBit(word), text.length - 1 - text.lastIndexOf('1'));
      }),
    );
  });
});

function find(bitmap: Bitmap, from: number): number {
  return bitmap.findClear(from, { words: 0 });
}

/** Draws positions mostly near the ends of words, groups of words and parts. */
function placeIn(size: number): fc.Arbitrary<number> {
  const edges = [0, 31, 32, 1_023, 1_024, 32_767, 32_768, 65_536, size / 2, size - 1];
  return fc
    .tuple(fc.constantFrom(...edges, 'any' as const), fc.nat({ max: size - 1 }), fc.nat({ max: 2 }))
    .map(([edge, any, off]) => (edge === 'any' ? any : Math.abs(Math.floor(edge) - off)) % size);
}

function changesIn(
  size: number,
): fc.Arbitrary<{ action: 'set' | 'clear'; first: number; last: number }[]> {
  const change = fc
    .tuple(fc.constantFrom('set' as const, 'clear' as const), placeIn(size), placeIn(size))
    .map(([action, a, b]) => ({ action, first: Math.min(a, b), last: Math.max(a, b) }));
  return fc.array(change, { maxLength: 12, size: 'max' });
}
