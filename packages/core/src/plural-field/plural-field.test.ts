import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createPlural, type PluralOutcome, type Sent, updatePlural } from './plural-field.ts';
import { assertHits } from '../../../../test/support/hits.ts';

const rules = {
  isSame: (a: string, b: string) => a === b,
  names: { singular: 'apiVIP', plural: 'apiVIPs' },
};
const nothing = { kind: 'nothing' } as const;
const cleared = { kind: 'cleared' } as const;
const set = <T>(value: T): Sent<T> => ({ kind: 'set', value });

/** The outcome as text such as `a [a b]`, or the refusal. */
const show = (outcome: PluralOutcome<string>): string =>
  outcome.kind === 'refused'
    ? outcome.reason
    : `${outcome.singular ?? '-'} [${outcome.plural.join(' ')}]`;

describe('createPlural', () => {
  const cases: { name: string; singular?: string; plural?: string[]; want: RegExp }[] = [
    { name: 'makes a list of a singular without a list', singular: 'a', want: /^a \[a\]$/ },
    { name: 'treats an empty list as a missing one', singular: 'a', plural: [], want: /^a \[a\]$/ },
    {
      name: 'accepts both if the first value equals the singular',
      singular: 'a',
      plural: ['a', 'b'],
      want: /^a \[a b\]$/,
    },
    {
      name: 'refuses a list whose first value differs',
      singular: 'b',
      plural: ['a', 'b'],
      want: /first value of apiVIPs must equal apiVIP/,
    },
    {
      name: 'refuses a list without the singular',
      plural: ['a'],
      want: /apiVIPs needs apiVIP; set apiVIP to the first value/,
    },
    { name: 'accepts neither of them', want: /^- \[\]$/ },
  ];
  for (const { name, singular, plural, want } of cases) {
    it(name, () => assert.match(show(createPlural({ ...rules, singular, plural })), want));
  }
});

describe('updatePlural', () => {
  const current = { singular: 'a', plural: ['a', 'b'] };
  const cases: {
    name: string;
    singular: Sent<string>;
    plural: Sent<readonly string[]>;
    want: RegExp;
  }[] = [
    {
      name: 'clears both if an old client clears the singular',
      singular: cleared,
      plural: nothing,
      want: /^- \[\]$/,
    },
    {
      name: 'changes nothing if only the list is cleared',
      singular: nothing,
      plural: cleared,
      want: /^a \[a b\]$/,
    },
    {
      name: 'changes nothing if only an empty list is sent',
      singular: nothing,
      plural: set([]),
      want: /^a \[a b\]$/,
    },
    {
      name: 'makes a list of one value if an old client changes the singular',
      singular: set('c'),
      plural: nothing,
      want: /^c \[c\]$/,
    },
    {
      name: 'keeps the list if the singular is sent unchanged',
      singular: set('a'),
      plural: nothing,
      want: /^a \[a b\]$/,
    },
    {
      name: 'keeps only the singular if it is sent with a cleared list',
      singular: set('a'),
      plural: cleared,
      want: /^a \[a\]$/,
    },
    {
      name: 'accepts both if they agree',
      singular: set('c'),
      plural: set(['c', 'd']),
      want: /^c \[c d\]$/,
    },
    {
      name: 'refuses both if they do not agree',
      singular: set('c'),
      plural: set(['d']),
      want: /first value of apiVIPs must equal/,
    },
    {
      name: 'refuses a list while the singular is cleared',
      singular: cleared,
      plural: set(['d']),
      want: /apiVIPs needs apiVIP/,
    },
    {
      name: 'refuses a list without the singular, as on creation',
      singular: nothing,
      plural: set(['a', 'c']),
      want: /apiVIPs needs apiVIP/,
    },
    {
      name: 'clears both if both are cleared',
      singular: cleared,
      plural: cleared,
      want: /^- \[\]$/,
    },
    {
      name: 'changes nothing if nothing is sent',
      singular: nothing,
      plural: nothing,
      want: /^a \[a b\]$/,
    },
  ];
  for (const { name, singular, plural, want } of cases) {
    it(name, () => assert.match(show(updatePlural({ ...rules, current, singular, plural })), want));
  }

  it('always results in a singular that is the first of the list, or in neither', () => {
    const item = fc.constantFrom('a', 'b', 'c');
    const sent = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Sent<T>> =>
      fc.oneof(fc.constant(nothing), fc.constant(cleared), value.map(set));
    const list = fc.array(item, { maxLength: 3 });
    assertHits(20, (hit) =>
      fc.assert(
        fc.property(list, sent(item), sent(list), (plural, sentSingular, sentPlural) => {
          const before = { singular: plural[0], plural };
          const after = updatePlural({
            ...rules,
            current: before,
            singular: sentSingular,
            plural: sentPlural,
          });
          if (after.kind === 'refused') return;
          if (after.plural.length > 0) hit();
          assert.equal(after.singular, after.plural[0]);
          const again = updatePlural({
            ...rules,
            current: after,
            singular: sentSingular,
            plural: sentPlural,
          });
          assert.deepEqual({ ...again, reason: '' }, { ...after, reason: '' }, 'idempotent');
          assert.ok(after.reason.length > 0);
        }),
        { numRuns: 2000 },
      ),
    );
  });
});
