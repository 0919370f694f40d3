import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { toJson } from './to-json.ts';

describe('an answer as one line of JSON', () => {
  it('keeps the value and contains no control character', () => {
    const odd = fc.constantFrom('"', '\\', '\n', '\u001b', '\u007f', '\u009b', '\u202e', 'é', '😀');
    const text = fc.oneof(fc.string(), fc.string({ unit: odd }));
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), (value) => {
        const line = toJson(value);
        assert.deepEqual(JSON.parse(line), JSON.parse(JSON.stringify(value)));
        assert.doesNotMatch(line, /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
