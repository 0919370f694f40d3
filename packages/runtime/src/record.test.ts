import assert from 'node:assert/strict';
import { errorCodeOf, fieldOf, isRecord } from './record.ts';

describe('a value of unknown shape', () => {
  it('is a record if it is an object and not an array', () => {
    for (const value of [{}, { a: 1 }, Object.create(null)]) assert.equal(isRecord(value), true);
    for (const value of [null, undefined, [], 'a', 1, () => 1])
      assert.equal(isRecord(value), false);
  });

  it('has fields, inherited ones included, only if it is an object', () => {
    assert.equal(fieldOf({ a: 1 }, 'a'), 1);
    assert.equal(fieldOf(new RangeError('why'), 'name'), 'RangeError');
    for (const value of [null, undefined, 'text', 1])
      assert.equal(fieldOf(value, 'length'), undefined);
    assert.equal(fieldOf({}, 'a'), undefined);
  });

  it('has an error code only if its code is a string', () => {
    assert.equal(errorCodeOf(Object.assign(new Error('why'), { code: 'EACCES' })), 'EACCES');
    for (const err of [{ code: 7 }, new Error('why'), 'EACCES', undefined]) {
      assert.equal(errorCodeOf(err), undefined);
    }
  });
});
