/**
 * Claims about the age of answers: Tandem must not decide on data that is older than stated (P3).
 */
import assert from 'node:assert/strict';
import type { LookupAnswer } from '../plug/index.ts';
import { assertFound, type Claim, dualStack, lookUp, lookUpOne, nodeOf } from './claim.ts';

export const ageClaims: readonly Claim[] = [
  {
    name: 'states the age of every answer, and asks its source when maxAgeMs is 0',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const nodes = [nodeOf('exam-a', providerID), nodeOf('exam-none')];
      // This fills a cache, if the provider has one.
      await lookUp(lab, nodes, 60_000);
      const askedAtMs = lab.clock.monotonic();
      const answers = await lookUp(lab, nodes);
      for (const { name } of nodes) {
        const asOfMs = asOfMsOf(answers.get(name));
        assert(
          asOfMs >= askedAtMs,
          `the answer is ${askedAtMs - asOfMs} ms older than the question`,
        );
        assert(asOfMs <= lab.clock.monotonic(), 'the answer is from the future');
      }
    },
  },
  {
    name: 'answers from memory only as far as maxAgeMs allows, and never understates the age',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const node = nodeOf('exam-a', providerID);
      const before = await lookUpOne(lab, node);
      const after = await lab.readdress('exam-a', dualStack('exam-a', 9).addresses);
      const changedAtMs = lab.clock.monotonic();
      const young = await lookUpOne(lab, node, 60_000);
      if (asOfMsOf(young) >= changedAtMs) assertFound(young, after);
      else
        assert.deepEqual(young, before, 'an answer from memory differs from the original answer');
    },
  },
];

function asOfMsOf(answer: LookupAnswer | undefined): number {
  const hasAge = answer?.kind === 'found' || answer?.kind === 'absent';
  assert(hasAge, `the answer is ${answer?.kind ?? 'missing'}`);
  assert(Number.isFinite(answer.asOfMs), 'the answer has no valid asOfMs');
  return answer.asOfMs;
}
