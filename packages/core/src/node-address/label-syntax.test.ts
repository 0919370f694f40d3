import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { labelKeyProblem, labelValueProblem } from './label-syntax.ts';

const long = (length: number): string => 'a'.repeat(length);

describe('labels', () => {
  for (const key of ['a', 'A_b.c-9', 'example.com/a', `${long(253)}/${long(63)}`, '9']) {
    it(`may have the key ${key.slice(0, 20)}`, () => assert.equal(labelKeyProblem(key), undefined));
  }

  for (const key of ['', '-a', 'a b', 'a/', '/a', 'a/b/c', 'EXAMPLE/a', long(64), 'ä', 'a\n']) {
    it(`must not have the key ${JSON.stringify(key.slice(0, 20))}`, () => {
      assert.match(
        labelKeyProblem(key) ?? '',
        /is not a valid label key: expected a name of at most 63 .* optional domain/,
      );
    });
  }

  for (const value of ['', 'a', '1.2_3-4', long(63)]) {
    it(`may have the value ${JSON.stringify(value.slice(0, 20))}`, () => {
      assert.equal(labelValueProblem(value), undefined);
    });
  }

  for (const value of [' ', 'no good!', 'a-', '.a', 'a/b', long(64), 'a\n']) {
    it(`must not have the value ${JSON.stringify(value.slice(0, 20))}`, () => {
      assert.match(
        labelValueProblem(value) ?? '',
        /is not a valid label value: expected at most 63/,
      );
    });
  }

  it('are reported in one printable line, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        for (const problem of [labelKeyProblem(text), labelValueProblem(text)]) {
          assert.match(problem ?? '', /^[ -~…]*$/);
        }
      }),
    );
  });
});
