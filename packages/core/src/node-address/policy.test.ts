import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type LabelExpression, type LabelSelector, matchesSelector } from './policy.ts';

describe('matchesSelector', () => {
  const labels = { pool: 'storage', zone: 'a', empty: '' };
  const cases: { name: string; selector: LabelSelector; want: boolean }[] = [
    { name: 'an empty selector matches every node', selector: {}, want: true },
    {
      name: 'all of matchLabels must match',
      selector: { matchLabels: { pool: 'storage', zone: 'b' } },
      want: false,
    },
    {
      name: 'matchLabels and matchExpressions are joined',
      selector: {
        matchLabels: { pool: 'storage' },
        matchExpressions: [{ key: 'zone', operator: 'In', values: ['b'] }],
      },
      want: false,
    },
    {
      name: 'In requires one of the values',
      selector: { matchExpressions: [{ key: 'zone', operator: 'In', values: ['b', 'a'] }] },
      want: true,
    },
    {
      name: 'In does not match a missing label',
      selector: { matchExpressions: [{ key: 'none', operator: 'In', values: [''] }] },
      want: false,
    },
    {
      name: 'NotIn matches a missing label',
      selector: { matchExpressions: [{ key: 'none', operator: 'NotIn', values: ['a'] }] },
      want: true,
    },
    {
      name: 'NotIn does not match a listed value',
      selector: { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] },
      want: false,
    },
    {
      name: 'Exists matches an empty value',
      selector: { matchExpressions: [{ key: 'empty', operator: 'Exists' }] },
      want: true,
    },
    {
      name: 'DoesNotExist matches a missing label',
      selector: { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] },
      want: true,
    },
    {
      name: 'an inherited property of objects is not a label',
      selector: { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] },
      want: false,
    },
  ];
  for (const { name, selector, want } of cases) {
    it(name, () => assert.equal(matchesSelector(selector, labels), want));
  }

  it('gives opposite results for each operator and its negation, for any labels', () => {
    const key = fc.constantFrom('a', 'b');
    const values = fc.array(fc.constantFrom('x', 'y', ''), { minLength: 1, maxLength: 2 });
    const matches = (expression: LabelExpression, of: Record<string, string>): boolean =>
      matchesSelector({ matchExpressions: [expression] }, of);
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.constantFrom('x', 'y', '')),
        key,
        values,
        (of, name, list) => {
          const inList = matches({ key: name, operator: 'In', values: list }, of);
          assert.notEqual(inList, matches({ key: name, operator: 'NotIn', values: list }, of));
          const exists = matches({ key: name, operator: 'Exists' }, of);
          assert.notEqual(exists, matches({ key: name, operator: 'DoesNotExist' }, of));
          assert.ok(exists || !inList);
        },
      ),
    );
  });
});
