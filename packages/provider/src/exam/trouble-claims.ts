/** Claims about change and trouble: nothing is absent because it could not be read (P3). */
import assert from 'node:assert/strict';
import type { LookupAnswer } from '../plug/index.ts';
import {
  assertFound,
  bothFreshnesses,
  type Claim,
  dualStack,
  lookUp,
  lookUpOne,
  nodeOf,
} from './claim.ts';
import type { Lab } from './lab.ts';

export const troubleClaims: readonly Claim[] = [
  {
    name: 'shows new addresses of an instance, and no old ones',
    async check(lab) {
      const before = await lab.create(dualStack('exam-a'));
      const after = await lab.readdress('exam-a', dualStack('exam-a', 9).addresses);
      assert.equal(after.providerID, before.providerID);
      for (const freshness of bothFreshnesses) {
        assertFound(await lookUpOne(lab, nodeOf('exam-a', before.providerID), freshness), after);
      }
    },
  },
  {
    name: 'finds a stopped instance, and says that it is stopped',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const stopped = await lab.stop('exam-a');
      const answer = await lookUpOne(lab, nodeOf('exam-a', providerID));
      assertFound(answer, stopped);
      assert.equal(stopped.state, 'stopped', 'the lab did not stop what it was asked to');
    },
  },
  {
    name: 'says absent of a removed instance when asked authoritatively',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const kept = await lab.create(dualStack('exam-b', 2));
      // Whatever it keeps in memory has been filled by now.
      await lookUpOne(lab, nodeOf('exam-a', providerID), 'cached');
      await lab.remove('exam-a');
      const nodes = [nodeOf('exam-a', providerID), nodeOf('exam-b')];
      const answers = await lookUp(lab, nodes, 'authoritative');
      assert.deepEqual(answers.get('exam-a'), { kind: 'absent' });
      assertFound(answers.get('exam-b'), kept);
    },
  },
  {
    name: 'never says absent while the cloud cannot be read, and recovers by itself',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      const repair = await lab.breakCloud();
      for (const freshness of bothFreshnesses) {
        for (const node of [nodeOf('exam-a', instance.providerID), nodeOf('exam-none')]) {
          assertNotAbsent(await answerOrFailure(lab, node, freshness));
        }
      }
      await repair();
      assertFound(await lookUpOne(lab, nodeOf('exam-a')), instance);
      assert.deepEqual(await lookUpOne(lab, nodeOf('exam-none')), { kind: 'absent' });
    },
  },
  {
    name: 'stops when it is told to, and takes that for no answer',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const controller = new AbortController();
      controller.abort(new Error('the exam is over'));
      const { signal } = controller;
      const nodes = [nodeOf('exam-a'), nodeOf('exam-none')];
      const answers = await lab
        .waitFor(lab.provider.lookup(nodes, { freshness: 'authoritative', signal }))
        .catch(() => undefined);
      for (const answer of answers?.values() ?? []) assert.equal(answer.kind, 'unknown');
    },
  },
];

/** A rejection is as good as `unknown`, if it is an error. */
async function answerOrFailure(
  lab: Lab,
  node: ReturnType<typeof nodeOf>,
  freshness: (typeof bothFreshnesses)[number],
): Promise<LookupAnswer> {
  try {
    return await lookUpOne(lab, node, freshness);
  } catch (err) {
    assert(err instanceof Error, 'it rejected with something that is no Error');
    return { kind: 'unknown', err };
  }
}

function assertNotAbsent(answer: LookupAnswer): void {
  assert.notEqual(answer.kind, 'absent', 'it said absent although it could not know');
  if (answer.kind !== 'unknown') return;
  assert(answer.err instanceof Error, 'an unknown answer has no Error');
  const code: unknown = Reflect.get(answer.err, 'code');
  assert(typeof code === 'string' && code !== '', `the error has no code: ${answer.err.message}`);
  assert.notEqual(answer.err.message, '', 'the error says nothing');
}
