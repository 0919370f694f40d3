import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { duplicateFields } from './duplicate-fields.ts';

const cases: readonly (readonly [text: string, want: readonly string[]])[] = [
  ['{"a":1,"a":2}', ['a']],
  ['{"a":1,"a":2,"a":3}', ['a']],
  ['{"a":{"b":1},"c":{"b":1}}', []],
  ['{"a":{"b":1,"b":2},"c":[{"d":1},{"d":1,"d":2}]}', ['a.b', 'c[1].d']],
  ['{"a" \n :"a","b":"a"}', []],
  ['{"a":"\\"a\\":","b":"{\\\\","c":1}', []],
  ['{"a":1,"\\u0061":2}', ['a']],
  ['[["a","a"],{"a":"a"}]', []],
  ['"a"', []],
  ['', []],
];

describe('fields that a text gives twice', () => {
  for (const [text, want] of cases) {
    it(`are ${JSON.stringify(want)} in ${text}`, () => {
      assert.deepEqual(duplicateFields(text), want);
    });
  }

  it('are none in whatever a program has written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(duplicateFields(JSON.stringify(value, undefined, 1)), []);
      }),
    );
  });
});
