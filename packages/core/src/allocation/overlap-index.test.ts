import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Cidr, formatCidr, overlaps } from '../ip/index.ts';
import { OverlapIndex } from './overlap-index.ts';
import { cidrsOf, readPodCIDR } from './pod-cidrs.ts';

const cidrs = (...texts: readonly string[]): Cidr[] => cidrsOf(texts.map(readPodCIDR));

/** A choice of few networks, so that many of them overlap. */
const anyCidr = fc
  .tuple(fc.constantFrom('10.0', 'fd00:0:0:'), fc.nat(3), fc.constantFrom(0, 1, 2, 8))
  .map(([base, at, longer]) =>
    base === '10.0' ? `10.0.${at}.0/${22 + longer}` : `fd00:0:0:${at}::/${62 + longer}`,
  );

describe('the index of overlaps', () => {
  it('finds a CIDR inside another, in any order of insertion', () => {
    const index = new OverlapIndex();
    index.set('wide', cidrs('10.0.0.0/8'));
    index.set('narrow', cidrs('10.1.2.0/24', 'fd00::/64'));
    const [narrow, wide] = cidrs('10.1.2.0/24', '10.0.0.0/8');
    assert.ok(narrow !== undefined && wide !== undefined);
    assert.deepEqual(
      index.others('narrow', narrow).map(({ owner }) => owner),
      ['wide'],
    );
    assert.deepEqual(
      index.others('wide', wide).map(({ owner }) => owner),
      ['narrow'],
    );
    index.delete('narrow');
    assert.deepEqual(index.others('wide', wide), []);
  });

  it('agrees with a comparison of all pairs', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.array(anyCidr, { maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), anyCidr, (steps, asked) => {
        const index = new OverlapIndex();
        const naive = new Map<string, readonly Cidr[]>();
        for (const [owner, texts] of steps) {
          index.set(owner, cidrs(...texts));
          naive.set(owner, cidrs(...texts));
        }
        const [cidr] = cidrs(asked);
        assert.ok(cidr !== undefined);
        const text = (owner: string, one: Cidr): string => `${owner} ${formatCidr(one)}`;
        const want = [...naive].flatMap(([owner, held]) =>
          owner === 'a'
            ? []
            : held.filter((one) => overlaps(one, cidr)).map((one) => text(owner, one)),
        );
        const got = index.others('a', cidr).map((claim) => text(claim.owner, claim.cidr));
        assert.deepEqual(got.toSorted(), want.toSorted());
      }),
    );
  });
});
