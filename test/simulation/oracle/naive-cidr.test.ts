/** The oracle's own reading of networks and the manager's are the same for all that plans draw. */
import assert from 'node:assert/strict';
import { overlaps, parseCidr } from '@tandem/core/ip';
import { drawPlan } from '../plan/index.ts';
import { doOverlap, naiveCidr } from './naive-cidr.ts';

describe('the oracle’s own reading of networks', () => {
  it('agrees with the manager’s on which networks of a plan overlap', () => {
    const seen = new Set<boolean>();
    for (let number = 0; number < 60; number++) {
      const { allocation } = drawPlan(`naive/${number}`);
      const texts = [
        ...(allocation?.serviceRanges ?? []),
        ...(allocation?.pools ?? []).flatMap(({ ranges }) => ranges.map((range) => range.cidr)),
        ...[...(allocation?.registered.values() ?? [])].flat(),
      ];
      for (const a of texts) {
        for (const b of texts) {
          const isNaive = doOverlap(naiveCidr(a), naiveCidr(b));
          assert.equal(isNaive, overlaps(cidr(a), cidr(b)), `${a} and ${b}`);
          seen.add(isNaive);
        }
      }
    }
    assert.equal(seen.size, 2);
  });
});

function cidr(text: string): Parameters<typeof overlaps>[0] {
  const parsed = parseCidr(text);
  assert.ok(parsed.kind === 'cidr', text);
  return parsed.cidr;
}
