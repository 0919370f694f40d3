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

/** `a [a b]`, or the refusal. */
const show = (outcome: PluralOutcome<string>): string =>
  outcome.kind === 'refused'
    ? outcome.reason
    : `${outcome.singular ?? '-'} [${outcome.plural.join(' ')}]`;

describe('createPlural', () => {
  const cases: { name: string; singular?: string; plural?: string[]; want: RegExp }[] = [
    { name: 'makes a list of a lone singular', singular: 'a', want: /^a \[a\]$/ },
    { name: 'treats an empty list as none', singular: 'a', plural: [], want: /^a \[a\]$/ },
    {
      name: 'takes both where the first equals the singular',
      singular: 'a',
      plural: ['a', 'b'],
      want: /^a \[a b\]$/,
    },
    {
      name: 'refuses a first that differs',
      singular: 'b',
      plural: ['a', 'b'],
      want: /first value of apiVIPs must equal apiVIP/,
    },
    {
      name: 'refuses a lone list',
      plural: ['a'],
      want: /apiVIPs needs apiVIP; set apiVIP to the first value/,
    },
    { name: 'takes neither', want: /^- \[\]$/ },
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
      name: 'clears both where an old client clears the singular',
      singular: cleared,
      plural: nothing,
      want: /^- \[\]$/,
    },
    {
      name: 'changes nothing where only the list is cleared',
      singular: nothing,
      plural: cleared,
      want: /^a \[a b\]$/,
    },
    {
      name: 'changes nothing where only an empty list is sent',
      singular: nothing,
      plural: set([]),
      want: /^a \[a b\]$/,
    },
    {
      name: 'makes a list of one where an old client changes the singular',
      singular: set('c'),
      plural: nothing,
      want: /^c \[c\]$/,
    },
    {
      name: 'keeps the list where the singular is sent unchanged',
      singular: set('a'),
      plural: nothing,
      want: /^a \[a b\]$/,
    },
    {
      name: 'keeps only the singular where the list is cleared beside it',
      singular: set('a'),
      plural: cleared,
      want: /^a \[a\]$/,
    },
    {
      name: 'takes both where they agree',
      singular: set('c'),
      plural: set(['c', 'd']),
      want: /^c \[c d\]$/,
    },
    {
      name: 'refuses both where they do not',
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
      name: 'refuses a lone list, as on creation',
      singular: nothing,
      plural: set(['a', 'c']),
      want: /apiVIPs needs apiVIP/,
    },
    {
      name: 'clears both where both are cleared',
      singular: cleared,
      plural: cleared,
      want: /^- \[\]$/,
    },
    {
      name: 'changes nothing where nothing is sent',
      singular: nothing,
      plural: nothing,
      want: /^a \[a b\]$/,
    },
  ];
  for (const { name, singular, plural, want } of cases) {
    it(name, () => assert.match(show(updatePlural({ ...rules, current, singular, plural })), want));
  }

  it('always leaves a singular that is the first of the list, or nothing at all', () => {
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
