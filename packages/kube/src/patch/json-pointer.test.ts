import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonPointer, valueAt } from './json-pointer.ts';

describe('JSON pointers', () => {
  it('find the value at the keys that they were made from', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (keys) => {
        const document = keys.reduceRight<unknown>((inner, k) => ({ [k]: inner }), 'here');
        fc.pre(!keys.includes('__proto__'));
        assert.equal(valueAt(document, jsonPointer(...keys)), 'here');
      }),
    );
  });

  it('find neither absent values nor inherited properties', () => {
    for (const pointer of ['/a', '/length/x', '/toString', '/a/b/c']) {
      assert.equal(valueAt({ b: 1 }, pointer), undefined);
    }
  });
});
