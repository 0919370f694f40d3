import assert from 'node:assert/strict';
import { errorCodeOf, fieldOf, isRecord } from './record.ts';

describe('a value of unknown shape', () => {
  it('is a record where it is an object and no list', () => {
    for (const value of [{}, { a: 1 }, Object.create(null)]) assert.equal(isRecord(value), true);
    for (const value of [null, undefined, [], 'a', 1, () => 1])
      assert.equal(isRecord(value), false);
  });

  it('has the fields of an object, inherited ones included, and none otherwise', () => {
    assert.equal(fieldOf({ a: 1 }, 'a'), 1);
    assert.equal(fieldOf(new RangeError('why'), 'name'), 'RangeError');
    for (const value of [null, undefined, 'text', 1])
      assert.equal(fieldOf(value, 'length'), undefined);
    assert.equal(fieldOf({}, 'a'), undefined);
  });

  it('has the code of an error where that is a text', () => {
    assert.equal(errorCodeOf(Object.assign(new Error('why'), { code: 'EACCES' })), 'EACCES');
    for (const err of [{ code: 7 }, new Error('why'), 'EACCES', undefined]) {
      assert.equal(errorCodeOf(err), undefined);
    }
  });
});
