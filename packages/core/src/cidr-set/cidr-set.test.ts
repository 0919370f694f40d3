import assert from 'node:assert/strict';
import { type Cidr, formatCidr, parseCidr } from '../ip/index.ts';
import { CidrSet } from './cidr-set.ts';

describe('a CIDR set', () => {
  it('assigns the lowest blocks first, and a freed block only after the end of the range', () => {
    const set = aSet('10.0.0.0/22', 24);
    assert.deepEqual(allocate(set, 'a', 'b'), ['10.0.0.0/24', '10.0.1.0/24']);
    set.release('a', cidr('10.0.0.0/24'));
    assert.deepEqual(allocate(set, 'c', 'd', 'e'), ['10.0.2.0/24', '10.0.3.0/24', '10.0.0.0/24']);
    assert.deepEqual(allocate(set, 'f'), ['none']);
  });

  it('assigns no block when it is exhausted, and the freed block as soon as there is one', () => {
    const set = aSet('10.0.0.0/24', 24);
    assert.deepEqual(allocate(set, 'a', 'b'), ['10.0.0.0/24', 'none']);
    assert.equal(set.release('a', cidr('10.0.0.0/24')), 1);
    assert.deepEqual(allocate(set, 'b'), ['10.0.0.0/24']);
  });

  it('assigns a requested block if it is free, and only once', () => {
    const set = aSet('10.0.0.0/22', 24);
    assert.equal(set.allocateBlock('a', cidr('10.0.2.0/24')), true);
    assert.equal(set.allocateBlock('b', cidr('10.0.2.0/24')), false);
    assert.equal(set.isFree(cidr('10.0.2.0/24')), false);
    assert.deepEqual(allocate(set, 'c', 'd', 'e'), ['10.0.0.0/24', '10.0.1.0/24', '10.0.3.0/24']);
  });

  for (const text of ['10.0.0.0/23', '10.0.1.0/25', '10.0.4.0/24', 'fd00::/24']) {
    it(`does not assign ${text}, which is not a block of the set`, () => {
      const set = aSet('10.0.0.0/22', 24);
      assert.equal(set.isFree(cidr(text)), false);
      assert.equal(set.allocateBlock('a', cidr(text)), false);
      assert.equal(set.counts.free, 4);
    });
  }

  const occupied = [
    { name: 'is a block', text: '10.0.1.0/24', bound: 1, next: '10.0.0.0/24' },
    { name: 'is smaller than a block', text: '10.0.0.64/26', bound: 1, next: '10.0.1.0/24' },
    { name: 'spans several blocks', text: '10.0.0.0/23', bound: 2, next: '10.0.2.0/24' },
    { name: 'is the range', text: '10.0.0.0/22', bound: 4, next: 'none' },
    { name: 'is larger than the range', text: '10.0.0.0/8', bound: 4, next: 'none' },
    { name: 'lies outside', text: '10.0.4.0/24', bound: 0, next: '10.0.0.0/24' },
    { name: 'is of the other family', text: '::/0', bound: 0, next: '10.0.0.0/24' },
  ];
  for (const { name, text, bound, next } of occupied) {
    it(`keeps every block that overlaps an occupied CIDR: one that ${name}`, () => {
      const set = aSet('10.0.0.0/22', 24);
      set.occupy('a', cidr(text));
      assert.equal(set.counts.bound, bound);
      assert.equal(set.release('b', cidr(text)), 0);
      assert.deepEqual(allocate(set, 'c'), [next]);
      assert.equal(set.release('a', cidr(text)), bound);
    });
  }

  it('names every owner of a shared CIDR, and frees it when all have released it', () => {
    const set = aSet('10.0.0.0/22', 24);
    const [block, half, wide] = [cidr('10.0.0.0/24'), cidr('10.0.0.0/25'), cidr('10.0.0.0/16')];
    set.occupy('a', block);
    set.occupy('b', block);
    set.occupy('c', half);
    set.occupy('d', wide);
    assert.deepEqual(owners(set.holdersOf(block)), ['a', 'b', 'c', 'd']);
    assert.deepEqual(owners(set.holdersOf(cidr('10.0.0.128/25'))), ['a', 'b', 'd']);
    assert.deepEqual(owners(set.holdersOf(cidr('10.0.3.0/24'))), ['d']);
    assert.equal(set.release('d', wide), 3);
    assert.equal(set.release('a', block) + set.release('c', half), 0);
    assert.equal(set.release('b', block), 1);
  });

  it('reports no overlap for two halves of one block, but keeps the block for both', () => {
    const set = aSet('10.0.0.0/22', 24);
    set.occupy('a', cidr('10.0.0.0/25'));
    set.occupy('b', cidr('10.0.0.128/25'));
    assert.deepEqual(owners(set.holdersOf(cidr('10.0.0.128/25'))), ['b']);
    assert.equal(set.release('a', cidr('10.0.0.0/25')), 0);
    assert.equal(set.release('b', cidr('10.0.0.128/25')), 1);
  });

  it('counts an owner once that occupies the same CIDR twice', () => {
    const set = aSet('10.0.0.0/22', 24);
    set.occupy('a', cidr('10.0.0.0/24'));
    set.occupy('a', cidr('10.0.0.0/24'));
    assert.equal(set.holdersOf(cidr('10.0.0.0/24')).length, 1);
    assert.equal(set.release('a', cidr('10.0.0.0/24')), 1);
  });

  it('keeps a block in doubt until its owner occupies or releases it', () => {
    const set = aSet('10.0.0.0/23', 24);
    const [first, second] = [cidr('10.0.0.0/24'), cidr('10.0.1.0/24')];
    allocate(set, 'a', 'b');
    set.markInDoubt('a', first);
    set.markInDoubt('b', second);
    set.markInDoubt('a', second);
    assert.deepEqual(set.counts, { capacity: 2, free: 0, bound: 0, inDoubt: 2, excluded: 0 });
    assert.deepEqual(allocate(set, 'c'), ['none']);
    set.occupy('a', first);
    assert.equal(set.release('b', second), 1);
    assert.deepEqual(set.counts, { capacity: 2, free: 1, bound: 1, inDoubt: 0, excluded: 0 });
  });

  it('never assigns an excluded block, even after its owner has released it', () => {
    const set = aSet('10.0.0.0/22', 24);
    set.occupy('a', cidr('10.0.1.0/24'));
    set.exclude(cidr('10.0.1.128/25'));
    set.exclude(cidr('10.0.2.0/23'));
    assert.deepEqual(set.counts, { capacity: 4, free: 1, bound: 0, inDoubt: 0, excluded: 3 });
    assert.deepEqual(owners(set.holdersOf(cidr('10.0.1.0/24'))), ['a']);
    assert.equal(set.release('a', cidr('10.0.1.0/24')), 0);
    assert.deepEqual(allocate(set, 'b', 'c'), ['10.0.0.0/24', 'none']);
  });

  it('assigns no block if the whole range is excluded', () => {
    const set = aSet('10.0.0.0/22', 24);
    set.exclude(cidr('10.0.0.0/8'));
    assert.deepEqual(allocate(set, 'a'), ['none']);
  });
});

describe('a large range', () => {
  it('of 2^32 blocks assigns them in order, and lets CIDRs of any size be occupied', () => {
    const set = aSet('fd00::/32', 64);
    set.exclude(cidr('fd00::/48'));
    set.occupy('x', cidr('fd00:0:1::/48'));
    set.occupy('y', cidr('fd00:0:8000::/33'));
    assert.deepEqual(allocate(set, 'a', 'b'), ['fd00:0:2::/64', 'fd00:0:2:1::/64']);
    const taken = 2 ** 16 + 2 ** 31 + 2;
    assert.equal(set.counts.free, 2 ** 32 - 2 ** 16 - taken);
    assert.equal(set.release('y', cidr('fd00:0:8000::/33')), 2 ** 31);
  });

  it('of 2^48 blocks assigns the first free and the last block', () => {
    const set = aSet('fd00::/16', 64);
    set.occupy('x', cidr('fd00::/17'));
    assert.deepEqual(allocate(set, 'a'), ['fd00:8000::/64']);
    assert.equal(set.allocateBlock('b', cidr('fd00:ffff:ffff:ffff::/64')), true);
  });

  it('of more than 2^53 blocks uses the first 2^53', () => {
    const set = aSet('8000::/1', 64);
    assert.equal(set.counts.capacity, 2 ** 53);
    assert.equal(set.isFree(cidr('801f:ffff:ffff:ffff::/64')), true);
    assert.equal(set.isFree(cidr('8020::/64')), false);
    set.occupy('x', cidr('8000::/1'));
    assert.deepEqual(allocate(set, 'a'), ['none']);
    assert.equal(set.release('x', cidr('8000::/1')), 2 ** 53);
  });
});

function aSet(range: string, blockPrefixLength: number): CidrSet {
  return new CidrSet({ range: cidr(range), blockPrefixLength });
}

function allocate(set: CidrSet, ...names: string[]): string[] {
  return names.map((owner) => {
    const block = set.allocate(owner);
    return block === undefined ? 'none' : formatCidr(block);
  });
}

function owners(holdings: readonly { readonly owner: string }[]): string[] {
  return holdings.map(({ owner }) => owner).toSorted();
}

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  return parsed.kind === 'cidr' ? parsed.cidr : assert.fail(`${text} ${parsed.reason}`);
}
