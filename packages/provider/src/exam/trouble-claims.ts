/** Claims about changes and failures: an instance that cannot be read is not absent (P3). */
import assert from 'node:assert/strict';
import type { LookupAnswer } from '../plug/index.ts';
import {
  assertAbsent,
  assertFound,
  bothAges,
  type Claim,
  dualStack,
  lookUp,
  lookUpAsOfNow,
  lookUpOne,
  nodeOf,
} from './claim.ts';
import type { Lab } from './lab.ts';

export const troubleClaims: readonly Claim[] = [
  {
    name: 'reports the new addresses of an instance, and no old ones',
    async check(lab) {
      const before = await lab.create(dualStack('exam-a'));
      const after = await lab.readdress('exam-a', dualStack('exam-a', 9).addresses);
      assert.equal(after.providerID, before.providerID);
      for (const answer of await lookUpAsOfNow(lab, nodeOf('exam-a', before.providerID))) {
        assertFound(answer, after);
      }
    },
  },
  {
    name: 'finds a stopped instance, and reports it as stopped',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const stopped = await lab.stop('exam-a');
      const answer = await lookUpOne(lab, nodeOf('exam-a', providerID));
      assertFound(answer, stopped);
      assert.equal(stopped.state, 'stopped', 'the lab did not stop the instance');
    },
  },
  {
    name: 'answers absent for a removed instance when maxAgeMs is 0',
    async check(lab) {
      const { providerID } = await lab.create(dualStack('exam-a'));
      const kept = await lab.create(dualStack('exam-b', 2));
      // This fills a cache, if the provider has one.
      await lookUpOne(lab, nodeOf('exam-a', providerID), 60_000);
      await lab.remove('exam-a');
      const nodes = [nodeOf('exam-a', providerID), nodeOf('exam-b')];
      const answers = await lookUp(lab, nodes);
      assertAbsent(answers.get('exam-a'));
      assertFound(answers.get('exam-b'), kept);
    },
  },
  {
    name: 'never answers absent while it cannot read the cloud, and recovers by itself',
    async check(lab) {
      const instance = await lab.create(dualStack('exam-a'));
      const repair = await lab.breakCloud();
      for (const maxAgeMs of bothAges) {
        for (const node of [nodeOf('exam-a', instance.providerID), nodeOf('exam-none')]) {
          assertNotAbsent(await answerOrFailure(lab, node, maxAgeMs));
        }
      }
      await repair();
      assertFound(await lookUpOne(lab, nodeOf('exam-a')), instance);
      assertAbsent(await lookUpOne(lab, nodeOf('exam-none')));
    },
  },
  {
    name: 'stops when its signal aborts, without answering found or absent',
    async check(lab) {
      await lab.create(dualStack('exam-a'));
      const controller = new AbortController();
      controller.abort(new Error('the exam is over'));
      const { signal } = controller;
      const nodes = [nodeOf('exam-a'), nodeOf('exam-none')];
      const answers = await lab
        .waitFor(lab.provider.lookup(nodes, { maxAgeMs: 0, signal }))
        .catch(() => undefined);
      for (const answer of answers?.values() ?? []) assert.equal(answer.kind, 'unknown');
    },
  },
];

/** Counts a rejection with an error as `unknown`. */
async function answerOrFailure(
  lab: Lab,
  node: ReturnType<typeof nodeOf>,
  maxAgeMs: number,
): Promise<LookupAnswer> {
  try {
    return await lookUpOne(lab, node, maxAgeMs);
  } catch (err) {
    assert(err instanceof Error, 'the provider rejected with a value that is not an Error');
    return { kind: 'unknown', err };
  }
}

function assertNotAbsent(answer: LookupAnswer): void {
  assert.notEqual(
    answer.kind,
    'absent',
    'the provider answered absent although it could not read the cloud',
  );
  if (answer.kind !== 'unknown') return;
  assert(answer.err instanceof Error, 'the err of an unknown answer is not an Error');
  const code: unknown = Reflect.get(answer.err, 'code');
  assert(typeof code === 'string' && code !== '', `the error has no code: ${answer.err.message}`);
  assert.notEqual(answer.err.message, '', 'the error has no message');
}
