/**
 * Properties of the set for random sequences of steps, in both families, against a second
 * implementation that is simple and slow.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type Cidr,
  formatCidr,
  networkOf,
  overlaps,
  parseAddress,
  parseCidr,
} from '../ip/index.ts';
import { CidrSet, type CidrSetOptions, type Holding } from './cidr-set.ts';
import { NaiveCidrSet } from './naive-cidr-set.fixture.ts';

const runs = { numRuns: 200 };

interface TestedSet extends CidrSetOptions {
  /** Addresses inside the range and just outside. */
  readonly addresses: readonly string[];
}

const testedSets: readonly TestedSet[] = [
  aTestedSet('10.0.0.0/24', 28, (at) => `10.0.${at >> 8}.${at & 0xff}`),
  aTestedSet('10.1.0.0/17', 24, (at) => `10.${1 + (at >> 8)}.${at & 0xff}.129`),
  aTestedSet('fd00::/60', 64, (at) => `fd00:0:0:${hex(at >> 4)}::${at}`),
  // Blocks whose numbers straddle two words of the address.
  aTestedSet(
    'fd00:0:0:10::/61',
    68,
    (at) => `fd00::${hex(0x10 + (at >> 4))}:${hex(at & 0xf)}000:0:0:1`,
  ),
  aTestedSet('10.2.0.0/30', 30, (at) => `10.2.0.${at & 0xff}`),
];

interface Step {
  readonly action: Action;
  readonly owner: string;
  readonly cidr: Cidr;
  /**
   * If set, the step uses the CIDR of the holding with this index, and for even indices also its
   * owner.
   */
  readonly pick: number | undefined;
}
type Action = (typeof actions)[number];
const actions = [
  'allocate',
  'allocate',
  'allocateBlock',
  'occupy',
  'release',
  'release',
  'markInDoubt',
  'holdersOf',
  'exclude',
  'restart',
] as const;

describe('a CIDR set after any sequence of steps', () => {
  for (const tested of testedSets) {
    const name = `${formatCidr(tested.range)} in /${tested.blockPrefixLength}`;
    it(`${name}: answers as a naive set that checks every block`, () => {
      fc.assert(
        fc.property(stepsIn(tested), (steps) => void follow(tested, steps)),
        runs,
      );
    });
  }

  it('is often exhausted, shared, excluded and in doubt, so that the property above has cases', () => {
    const seen = { exhausted: 0, shared: 0, excluded: 0, inDoubt: 0, freed: 0 };
    for (const tested of testedSets) {
      for (const steps of fc.sample(stepsIn(tested), { numRuns: 40, seed: 1 })) {
        const { answers, set } = follow(tested, steps);
        seen.exhausted += answers.includes('allocate undefined') ? 1 : 0;
        seen.shared += answers.some((answer) => /^occupy .*,/.test(answer)) ? 1 : 0;
        seen.freed += answers.some((answer) => /^release [1-9]/.test(answer)) ? 1 : 0;
        seen.excluded += set.counts.excluded > 0 && set.counts.free > 0 ? 1 : 0;
        seen.inDoubt += set.counts.inDoubt > 0 ? 1 : 0;
      }
    }
    for (const [name, times] of Object.entries(seen)) assert.ok(times > 20, `${name}: ${times}`);
  });
});

function stepsIn({ range, blockPrefixLength, addresses }: TestedSet): fc.Arbitrary<Step[]> {
  const lengths = [range.prefixLength, blockPrefixLength].flatMap((length) => [
    length - 1,
    length,
    length,
    length + 1,
  ]);
  const cidr = fc
    .tuple(fc.constantFrom(...addresses), fc.constantFrom(...lengths))
    .map(([text, length]) => networkOf(parseAddress(text)!, length));
  return fc.array(
    fc.record({
      action: fc.constantFrom(...actions),
      owner: fc.constantFrom('a', 'b', 'c'),
      cidr,
      pick: fc.option(fc.nat({ max: 1_000 }), { nil: undefined }),
    }),
    { maxLength: 40, size: 'max' },
  );
}

/** Runs the steps on both sets, and compares every answer and all counts. */
function follow(tested: TestedSet, steps: readonly Step[]): { answers: string[]; set: CidrSet } {
  let set = new CidrSet(tested);
  let naive = new NaiveCidrSet(tested);
  const excluded: Cidr[] = [];
  const answers: string[] = [];
  for (const { action, pick, ...step } of steps) {
    const holdings = naive.holdersOf(tested.range);
    const picked = pick === undefined ? undefined : holdings[pick % holdings.length];
    const cidr = picked?.cidr ?? step.cidr;
    const owner = picked !== undefined && pick! % 2 === 0 ? picked.owner : step.owner;
    if (action === 'restart') {
      // A write in doubt was stored, or it was not.
      const found = holdings.filter(({ isInDoubt }) => !isInDoubt || pick === undefined);
      set = restart(new CidrSet(tested), excluded, found);
      naive = restart(new NaiveCidrSet(tested), excluded, found);
    } else {
      const answer = ask(set, action, owner, cidr);
      assert.equal(answer, ask(naive, action, owner, cidr), action);
      answers.push(`${action} ${answer}`);
      if (action === 'allocate') assertOnlyOwner(set, answer);
      if (action === 'exclude') excluded.push(cidr);
    }
    assert.deepEqual(set.counts, naive.counts, action);
  }
  return { answers, set };
}

function ask(
  set: CidrSet | NaiveCidrSet,
  action: Exclude<Action, 'restart'>,
  owner: string,
  cidr: Cidr,
): string {
  if (action === 'allocate') {
    const block = set.allocate(owner);
    return block === undefined ? 'undefined' : formatCidr(block);
  }
  if (action === 'exclude') return String(set.exclude(cidr));
  if (action === 'holdersOf') return textOf(set.holdersOf(cidr));
  if (action === 'allocateBlock') {
    assert.equal(set.isFree(cidr), set.allocateBlock(owner, cidr));
    return `${owner} ${set.isFree(cidr)} ${textOf(set.holdersOf(cidr))}`;
  }
  const answer = set[action](owner, cidr);
  return `${String(answer)} ${textOf(set.holdersOf(cidr))}`;
}

function textOf(holdings: readonly Holding[]): string {
  const texts = holdings.map(
    ({ owner, cidr, isInDoubt }) => `${owner} ${formatCidr(cidr)}${isInDoubt ? '?' : ''}`,
  );
  return texts.toSorted().join(', ');
}

function restart<Set extends CidrSet | NaiveCidrSet>(
  set: Set,
  excluded: readonly Cidr[],
  found: readonly Holding[],
): Set {
  for (const cidr of excluded) set.exclude(cidr);
  for (const { owner, cidr } of found) set.occupy(owner, cidr);
  return set;
}

function assertOnlyOwner(set: CidrSet, answer: string): void {
  if (answer === 'undefined') return;
  const block = readCidr(answer);
  const others = set.holdersOf(set.range).filter(({ cidr }) => overlaps(cidr, block));
  assert.equal(others.length, 1, `${answer} is held by ${textOf(others)}`);
}

function aTestedSet(
  range: string,
  blockPrefixLength: number,
  addressAt: (at: number) => string,
): TestedSet {
  const places = [0, 1, 3, 15, 16, 17, 63, 64, 100, 127, 128, 200, 254, 255, 256, 300];
  return { range: readCidr(range), blockPrefixLength, addresses: places.map(addressAt) };
}

function hex(value: number): string {
  return value.toString(16);
}

function readCidr(text: string): Cidr {
  const parsed = parseCidr(text);
  return parsed.kind === 'cidr' ? parsed.cidr : assert.fail(`${text} ${parsed.reason}`);
}
