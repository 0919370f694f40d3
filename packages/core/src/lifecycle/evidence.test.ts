import assert from 'node:assert/strict';
import { type AbsentSpan, type LifecycleAnswer, noEvidence, withAnswer } from './evidence.ts';
import { absent, aNode, unknown } from './lifecycle.fixture.ts';

const rules = { countsFromMs: 0, gapMsMax: 100 };
const found: LifecycleAnswer = { kind: 'found', state: 'running' };

describe('evidence', () => {
  const cases: {
    name: string;
    answers: readonly LifecycleAnswer[];
    want: AbsentSpan | 'suspected' | 'none';
  }[] = [
    { name: 'is none before the first answer', answers: [], want: 'none' },
    { name: 'begins with an absence', answers: [absent(5)], want: { firstMs: 5, latestMs: 5 } },
    {
      name: 'grows with every absence in a row',
      answers: [absent(5), absent(50), absent(140)],
      want: { firstMs: 5, latestMs: 140 },
    },
    { name: 'ends when the instance is found', answers: [absent(5), found], want: 'none' },
    {
      name: 'starts again after the instance was found',
      answers: [absent(5), found, absent(20)],
      want: { firstMs: 20, latestMs: 20 },
    },
    {
      name: 'does not change because of an unknown answer (P3)',
      answers: [absent(5), unknown, absent(20), unknown],
      want: { firstMs: 5, latestMs: 20 },
    },
    {
      name: 'starts again if the last absence is too old',
      answers: [absent(5), unknown, absent(106)],
      want: { firstMs: 106, latestMs: 106 },
    },
    {
      name: 'does not start earlier because of an older answer that arrives late',
      answers: [absent(50), absent(40)],
      want: { firstMs: 50, latestMs: 50 },
    },
    {
      name: 'of a cached answer is only a suspicion',
      answers: [absent(5, 'cached'), absent(90, 'cached')],
      want: 'suspected',
    },
    {
      name: 'turns from a suspicion into an absence with an answer of the source',
      answers: [absent(5, 'cached'), absent(20)],
      want: { firstMs: 20, latestMs: 20 },
    },
    {
      name: 'drops a suspicion when the instance is found',
      answers: [absent(5, 'cached'), found],
      want: 'none',
    },
    {
      name: 'keeps a suspicion through an unknown answer',
      answers: [absent(5, 'cached'), unknown],
      want: 'suspected',
    },
  ];
  for (const { name, answers, want } of cases) {
    it(name, () => {
      const end = answers.reduce(
        (evidence, answer) => withAnswer(evidence, answer, rules),
        noEvidence(aNode()),
      );
      assert.deepEqual(end.absent ?? (end.isSuspected ? 'suspected' : 'none'), want);
    });
  }

  it('does not count absences from before the node had its minimum age', () => {
    const young = { ...rules, countsFromMs: 60 };
    const early = withAnswer(noEvidence(aNode()), absent(59), young);
    assert.deepEqual([early.absent, early.isSuspected], [null, true]);
    assert.deepEqual(withAnswer(early, absent(60), young).absent, { firstMs: 60, latestMs: 60 });
  });
});
