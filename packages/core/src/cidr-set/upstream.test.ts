/**
 * Sequences recorded from upstream's own set: Tandem gives the same answers, except for known
 * faults.
 */
import assert from 'node:assert/strict';
import {
  type CidrSetRow,
  type CidrSetStep,
  readCidrSetFaults,
  readRecordedCidrSets,
} from '../../../../test/support/vectors.ts';
import { type Cidr, formatCidr, overlaps, parseCidr } from '../ip/index.ts';
import { CidrSet } from './cidr-set.ts';

describe('upstream’s set of CIDRs', () => {
  it('gives the same answers for recorded sequences of steps in both families', () => {
    const seen = { IPv4: 0, IPv6: 0, done: 0, outside: 0, exhausted: 0 };
    for (const [line, row] of readRecordedCidrSets().entries()) {
      const set = aSet(row);
      seen[set.range.network.family] += 1;
      for (const [at, step] of row.steps.entries()) {
        const [action, text, want] = step;
        // Upstream has no owners, so each CIDR names its owner.
        const answer = ask(set, step, action === 'allocate' ? want : text);
        assert.equal(answer, want, `line ${line + 1}, step ${at + 1}: ${action} ${text}`);
        if (want === '') seen.exhausted += 1;
        else if (want === 'done' || want === 'outside') seen[want] += 1;
      }
    }
    for (const [name, times] of Object.entries(seen)) assert.ok(times > 100, `${name}: ${times}`);
  });

  /** Tandem's last answer, and the reason. */
  const divergences: Readonly<Record<string, { last: string; because: string }>> = {
    'two nodes have one block, and one of them goes': {
      last: '10.0.1.0/24',
      because: 'the block is free when both have released it',
    },
    "a node inside another's CIDR goes": {
      last: '10.0.2.0/24',
      because: 'the other node still has it',
    },
    'a block is released that the node never had': {
      last: '',
      because: 'only its owner releases a block',
    },
    'a node in the service range goes': {
      last: '10.0.1.0/24',
      because: 'nothing undoes an exclusion',
    },
  };
  const faults = readCidrSetFaults();
  for (const [name, { last, because }] of Object.entries(divergences)) {
    it(`assigns a block that is not free when ${name}; Tandem does not, because ${because}`, () => {
      const row = faults.find((one) => one.name === name) ?? assert.fail(name);
      const set = aSet(row);
      const answers = row.steps.map((step, at) => ask(set, step, `node ${at}`));
      assert.equal(answers.at(-1), last);
      assert.equal(row.steps.at(-1)?.[2], '10.0.0.0/24');
    });
  }

  it('supports at most 65,536 IPv6 blocks; Tandem supports more', () => {
    const wide = faults.filter(({ refused }) => refused === true);
    assert.deepEqual(
      wide.map((row) => aSet(row).counts.capacity),
      [2 ** 32],
    );
    assert.equal(faults.length, Object.keys(divergences).length + wide.length);
  });
});

function aSet({ range, blockPrefixLength }: CidrSetRow): CidrSet {
  return new CidrSet({ range: readCidr(range), blockPrefixLength });
}

function ask(set: CidrSet, [action, text]: CidrSetStep, owner: string): string {
  if (action === 'allocate') {
    const block = set.allocate(owner);
    return block === undefined ? '' : formatCidr(block);
  }
  const cidr = readCidr(text);
  const holds = (): boolean => set.holdersOf(cidr).some((holding) => holding.owner === owner);
  const heldBefore = holds();
  if (action === 'exclude') set.exclude(cidr);
  else set[action](owner, cidr);
  const isDone = { exclude: overlaps(set.range, cidr), occupy: holds(), release: heldBefore };
  return isDone[action] ? 'done' : 'outside';
}

function readCidr(text: string): Cidr {
  const parsed = parseCidr(text);
  return parsed.kind === 'cidr' ? parsed.cidr : assert.fail(`${text} ${parsed.reason}`);
}
