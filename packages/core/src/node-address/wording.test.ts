import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { enumerate, printable, quote, quoteIdentifier } from './wording.ts';

describe('printable', () => {
  it('is bounded and free of control characters, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 8, max: 64 }), (text, max) => {
        const shown = printable(text, max);
        assert.match(shown, /^[ -~]*…?$/u);
        assert.ok(shown.length <= max);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps short printable text, and escapes or shortens other text', () => {
    assert.equal(printable('IPv4,fd00::1', 48), 'IPv4,fd00::1');
    assert.equal(quote('a"b\\c\n\u009b'), '"a\\"b\\\\c\\u{a}\\u{9b}"');
    assert.equal(printable('abcdefgh', 4), 'abc…');
  });
});

describe('quoteIdentifier', () => {
  it('keeps the beginning and most of the end of an identifier that is too long', () => {
    assert.equal(quoteIdentifier('cloud://7', 16), '"cloud://7"');
    assert.equal(quoteIdentifier('cloud:///zone-1/machine-17', 16), '"clou…/machine-17"');
  });

  it('is bounded and free of control characters, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 16, max: 64 }), (text, max) => {
        const shown = quoteIdentifier(text, max);
        assert.match(shown, /^"[ -~…]*"$/u);
        assert.ok(shown.length <= max + 2);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('enumerate', () => {
  it('joins with commas and a last "and"', () => {
    assert.equal(enumerate([]), '');
    assert.equal(enumerate(['a']), 'a');
    assert.equal(enumerate(['a', 'b', 'c']), 'a, b and c');
  });

  it('counts the entries that do not fit', () => {
    assert.equal(enumerate(['aaaa', 'bbbb', 'cccc', 'dddd'], 9), 'aaaa, bbbb and 2 more');
    assert.equal(enumerate(['a'.repeat(50), 'b'], 10), 'aaaaaaaaa… and 1 more');
  });
});
