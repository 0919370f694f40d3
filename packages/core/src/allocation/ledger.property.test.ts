/**
 * Compares the ledger with a naive one that lists the CIDRs of each node and checks every block of
 * every range. Both assign or refuse the same blocks, no block twice, and count every block once
 * (I1, I4, I5).
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Cidr, overlaps, subnetAt, subnetCount } from '../ip/index.ts';
import { PodCIDRLedger } from './ledger.ts';
import { cidrsOf, readPodCIDR } from './pod-cidrs.ts';
import type { PodCIDRPool } from './pool.ts';

const cidr = (text: string): Cidr => {
  const [found] = cidrsOf([readPodCIDR(text)]);
  assert.ok(found !== undefined, text);
  return found;
};

const pool: PodCIDRPool = {
  name: 'dual',
  ranges: [
    { cidr: cidr('10.0.0.0/21'), nodeMaskSize: 24 },
    { cidr: cidr('fd00::/62'), nodeMaskSize: 64 },
  ],
};
const excluded = [cidr('10.0.7.128/25')];

interface NaiveEntry {
  cidrs: readonly Cidr[];
  isShown: boolean;
  isInDoubt: boolean;
}

class NaiveLedger {
  readonly entries = new Map<string, NaiveEntry>();
  readonly departed = new Map<string, readonly Cidr[]>();

  freeBlocks({ cidr: range, nodeMaskSize }: PodCIDRPool['ranges'][number]): Cidr[] {
    const owned = [...this.entries.values()].flatMap(({ cidrs }) => cidrs);
    const held = [...owned, ...[...this.departed.values()].flat(), ...excluded];
    return blocksOf(range, nodeMaskSize).filter(
      (block) => !held.some((one) => overlaps(one, block)),
    );
  }
}

function blocksOf(range: Cidr, prefixLength: number): Cidr[] {
  const count = subnetCount(range, prefixLength);
  return Array.from({ length: count }, (_, index) => subnetAt(range, { prefixLength, index }));
}

const uid = fc.nat(9).map((number) => `uid-${number}`);
const texts = fc.constantFrom(
  ['10.0.0.0/24', 'fd00::/64'],
  ['10.0.1.0/24', 'fd00:0:0:1::/64'],
  ['10.0.2.0/23'],
  ['fd00::/16'],
  ['192.0.2.0/24'],
  ['10.0.3.64/26', 'nonsense'],
);
const step = fc.oneof(
  fc.record({ kind: fc.constant('reserve' as const), uid }),
  fc.record({ kind: fc.constant('show' as const), uid, texts }),
  fc.record({ kind: fc.constant('showReserved' as const), uid }),
  fc.record({ kind: fc.constant('doubt' as const), uid }),
  fc.record({ kind: fc.constant('giveUp' as const), uid }),
  fc.record({ kind: fc.constant('drop' as const), uid }),
  fc.record({ kind: fc.constant('depart' as const), uid }),
  fc.record({ kind: fc.constant('letGo' as const), uid, share: fc.constantFrom(1, 9) }),
  fc.record({ kind: fc.constant('restart' as const), uid }),
);

describe('the ledger of pod CIDRs', () => {
  it('agrees with a naive ledger after any sequence of steps, including restarts', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let ledger = new PodCIDRLedger({ pools: [pool], excluded });
        const naive = new NaiveLedger();
        for (const one of steps) {
          if (one.kind === 'restart') ledger = restarted(naive);
          else takeStep({ ledger, naive }, one);
          assertSame(ledger, naive);
        }
      }),
      { numRuns: 400 },
    );
  });
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
interface Both {
  readonly ledger: PodCIDRLedger;
  readonly naive: NaiveLedger;
}

/** A new process knows only the podCIDRs that nodes show. */
function restarted(naive: NaiveLedger): PodCIDRLedger {
  const ledger = new PodCIDRLedger({ pools: [pool], excluded });
  naive.departed.clear();
  for (const [owner, { cidrs, isShown }] of naive.entries) {
    const shown = cidrs.map((one) => ({ text: '', cidr: one }));
    if (isShown) ledger.show({ uid: owner, name: owner }, shown);
    else naive.entries.delete(owner);
  }
  return ledger;
}

function takeStep({ ledger, naive }: Both, one: Exclude<Step, { kind: 'restart' }>): void {
  const { uid: owner } = one;
  const holder = { uid: owner, name: owner };
  const entry = naive.entries.get(owner);
  switch (one.kind) {
    case 'reserve':
      return reserve({ ledger, naive }, owner);
    case 'show': {
      const podCIDRs = one.texts.map(readPodCIDR);
      ledger.show(holder, podCIDRs);
      const shown = cidrsOf(podCIDRs);
      const kept = entry?.isShown === true ? entry.cidrs : [];
      const isKnown = shown.every((cidrShown) => kept.some((held) => isSame(held, cidrShown)));
      const cidrs = isKnown ? kept : [...shown, ...kept];
      naive.entries.set(owner, { cidrs, isShown: true, isInDoubt: false });
      return;
    }
    case 'showReserved':
      if (entry === undefined || entry.isShown) return;
      ledger.show(
        holder,
        entry.cidrs.map((shown) => ({ text: '', cidr: shown })),
      );
      naive.entries.set(owner, { ...entry, isShown: true, isInDoubt: false });
      return;
    case 'doubt':
      ledger.doubt(owner);
      if (entry !== undefined && !entry.isShown) entry.isInDoubt = true;
      return;
    case 'giveUp':
      ledger.giveUp(owner);
      if (entry !== undefined && !entry.isShown && !entry.isInDoubt) naive.entries.delete(owner);
      return;
    case 'drop':
      ledger.drop(owner);
      naive.entries.delete(owner);
      return;
    case 'depart': {
      if (naive.departed.has(owner)) return;
      const isHeld = entry !== undefined && (entry.isShown || entry.isInDoubt);
      const { held, freed } = ledger.depart(owner);
      assert.deepEqual(held, isHeld ? entry.cidrs : []);
      if (isHeld) assert.equal(freed, 0);
      if (isHeld) naive.departed.set(owner, entry.cidrs);
      naive.entries.delete(owner);
      return;
    }
    case 'letGo': {
      const held = naive.departed.get(owner) ?? [];
      const before = freeOf(ledger);
      const freed = ledger.letGo(owner, held.slice(0, one.share));
      assert.equal(freeOf(ledger) - before, freed);
      naive.departed.set(owner, held.slice(one.share));
      if (held.length <= one.share) naive.departed.delete(owner);
    }
  }
}

function freeOf(ledger: PodCIDRLedger): number {
  return ledger.counts().reduce((sum, { counts }) => sum + counts.free, 0);
}

function reserve({ ledger, naive }: Both, owner: string): void {
  const before = naive.entries.get(owner);
  const free = pool.ranges.map((range) => naive.freeBlocks(range));
  const reserved = ledger.reserve({ uid: owner, name: owner }, pool);
  if (before !== undefined && before.cidrs.length > 0) {
    assert.deepEqual(reserved, { kind: 'reserved', cidrs: before.cidrs, searches: [] });
    return;
  }
  const isFree = free.every((blocks) => blocks.length > 0);
  assert.equal(reserved.kind, isFree ? 'reserved' : 'exhausted');
  if (reserved.kind !== 'reserved') return;
  for (const [at, block] of reserved.cidrs.entries()) {
    assert.ok(
      free[at]?.some((one) => isSame(one, block)),
      'the reserved block was not free',
    );
  }
  naive.entries.set(owner, { cidrs: reserved.cidrs, isShown: false, isInDoubt: false });
}

function assertSame(ledger: PodCIDRLedger, naive: NaiveLedger): void {
  for (const [at, { counts }] of ledger.counts().entries()) {
    const range = pool.ranges[at];
    assert.ok(range !== undefined);
    assert.equal(counts.free, naive.freeBlocks(range).length);
    assert.equal(counts.free + counts.bound + counts.inDoubt + counts.excluded, counts.capacity);
  }
  const doubts = [...naive.entries.values()].filter(({ isInDoubt }) => isInDoubt);
  assert.equal(ledger.hasDoubts, doubts.length > 0);
}

function isSame(a: Cidr, b: Cidr): boolean {
  return a.prefixLength === b.prefixLength && overlaps(a, b);
}
