import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Claimant, findLostClaim, findOtherHolder } from './claim.ts';

const claimant = (
  uid: string,
  creationTimestampSeconds: number,
  state: 'initialised' | 'new',
): Claimant => ({
  name: `node-${uid}`,
  uid,
  creationTimestampSeconds,
  isInitialised: state === 'initialised',
});

describe('a claim to an instance', () => {
  const own = claimant('m', 1000, 'new');
  const cases: { name: string; rivals: Claimant[]; want: [string, string] | null }[] = [
    {
      name: 'does not compete with an earlier state of its own Node',
      rivals: [claimant('m', 1, 'initialised')],
      want: null,
    },
    {
      name: 'is lost to a younger node that is initialised',
      rivals: [claimant('z', 2000, 'initialised')],
      want: ['node-z', 'is initialised'],
    },
    {
      name: 'is lost to the lower UID of the same second',
      rivals: [claimant('a', 1000, 'new')],
      want: ['node-a', 'has the lower UID'],
    },
    {
      name: 'is kept against the higher UID of the same second',
      rivals: [claimant('z', 1000, 'new')],
      want: null,
    },
    {
      name: 'is lost to an older node with a higher UID',
      rivals: [claimant('z', 999, 'new')],
      want: ['node-z', 'is older'],
    },
    {
      name: 'is lost to the first in rank of several',
      rivals: [claimant('a', 999, 'new'), claimant('c', 998, 'new'), claimant('b', 998, 'new')],
      want: ['node-b', 'is older'],
    },
    { name: 'is kept without a rival', rivals: [], want: null },
  ];
  for (const { name, rivals, want } of cases) {
    it(name, () => {
      const lost = findLostClaim(own, rivals);
      assert.deepEqual(lost && [lost.holder.name, lost.because], want);
    });
  }

  it('is held by exactly one Node: all others name it, and it names another initialised one', () => {
    const claimants = fc.uniqueArray(
      fc
        .tuple(
          fc.constantFrom('a', 'b', 'c', 'd', 'e'),
          fc.integer({ min: 1, max: 3 }),
          fc.constantFrom('initialised' as const, 'new' as const),
        )
        .map((facts) => claimant(...facts)),
      { selector: ({ uid }) => uid, minLength: 1 },
    );
    fc.assert(
      fc.property(claimants, (all) => {
        const rank = ({ isInitialised, creationTimestampSeconds, uid }: Claimant): string =>
          `${isInitialised ? 0 : 1} ${creationTimestampSeconds} ${uid}`;
        const first = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
        for (const one of all) {
          const holder = findLostClaim(one, all)?.holder ?? one;
          assert.equal(holder, first);
          const others = all.filter((other) => other !== one && other.isInitialised);
          const isShared = one === first && one.isInitialised && others.length > 0;
          assert.equal(findOtherHolder(one, all) !== null, isShared);
        }
      }),
    );
  });
});
