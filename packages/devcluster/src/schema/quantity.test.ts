import assert from 'node:assert/strict';
import { isQuantity, quantityValue } from './quantity.ts';

const cases: readonly (readonly [text: string, value: number])[] = [
  ['0', 0],
  ['+1', 1],
  ['-1.5', -1.5],
  ['.5', 0.5],
  ['5.', 5],
  ['1000m', 1],
  ['100m', 0.1],
  ['1n', 1e-9],
  ['1.5k', 1500],
  ['2Ki', 2048],
  ['0.5Gi', 2 ** 29],
  ['1E', 1e18],
  ['1Ei', 2 ** 60],
  ['1e3', 1000],
  ['1E-3', 0.001],
  ['Ki', 0],
];

describe('a quantity', () => {
  for (const [text, value] of cases) {
    it(`${text} is ${value}`, () => {
      assert.ok(isQuantity(text));
      assert.equal(quantityValue(text), value);
    });
  }

  it('has no other form', () => {
    for (const text of ['', 'abc', '1e', '1K', '1ki', '1 k', '1.2.3', '0x1', '--1', '1mm']) {
      assert.ok(!isQuantity(text), text);
    }
  });
});
