import assert from 'node:assert/strict';
import type { CloudAnswer } from '@tandem/core/node-init';
import { type Answer, LookupError } from '@tandem/provider/lookup';
import { virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { NodeRecord } from '../loop/index.ts';
import { Answers } from './answers.ts';
import { newState, type CloudNodeRecord } from './node-state.ts';

const noRequest = { operator: undefined, kubelet: undefined, labels: undefined };

interface Question {
  readonly maxAgeMs: number;
  readonly priority: string | undefined;
  readonly answer: (answer: Answer) => void;
}

function someAnswers(): {
  readonly record: CloudNodeRecord;
  readonly answers: Answers;
  readonly clock: VirtualClock;
  readonly asked: Question[];
  readonly heard: CloudAnswer[];
} {
  const clock = virtualClock();
  const asked: Question[] = [];
  const heard: CloudAnswer[] = [];
  const answers = new Answers({
    clock,
    maxAgeMs: 300_000,
    lookup: {
      ask: (_, options) =>
        new Promise((answer) => {
          const { maxAgeMs, priority } = options;
          asked.push({ maxAgeMs, priority, answer });
        }),
    },
    onAnswer: (_, answer) => heard.push(answer),
  });
  const record = new NodeRecord(node, newState(noRequest, 0));
  return { record, answers, clock, asked, heard };
}

const node = { name: 'a', uid: 'u', providerID: '', labels: {}, systemUUID: '' };

function found(asOfMs: number, providerID = 'cloud://1'): Answer {
  const instance = {
    key: providerID,
    providerID,
    addresses: [],
    labels: {},
    podBlocks: { IPv4: [], IPv6: [] },
    state: 'running',
  } as const;
  return { kind: 'found', instance, asOfMs };
}

describe('the answers of the cloud', () => {
  it('asks the cloud once for repeated calls, and calls back with the answer', async () => {
    const { record, answers, clock, asked, heard } = someAnswers();
    answers.ask(record, node);
    answers.ask(record, node);
    assert.equal(asked.length, 1);
    asked[0]?.answer(found(0));
    await clock.advance(0);
    assert.equal(heard.length, 1);
    assert.equal(answers.find(record, node)?.kind, 'found');
  });

  const cases = [
    {
      name: 'for a node that has since got the providerID of the answer',
      node: { providerID: 'cloud://1' },
      counts: true,
    },
    {
      name: 'for a node that has since got another providerID',
      node: { providerID: 'cloud://2' },
      counts: false,
    },
  ];
  for (const { name, node: changes, counts } of cases) {
    it(`${counts ? 'uses the answer' : 'ignores the answer'} ${name} (P2)`, async () => {
      const { record, answers, clock, asked } = someAnswers();
      answers.ask(record, node);
      asked[0]?.answer(found(0));
      await clock.advance(0);
      assert.equal(answers.find(record, { ...node, ...changes }) !== null, counts);
    });
  }

  it('drops an answer about a deleted node', async () => {
    const { record, answers, clock, asked, heard } = someAnswers();
    answers.ask(record, node);
    record.isGone = true;
    asked[0]?.answer(found(0));
    await clock.advance(0);
    assert.deepEqual(heard, []);
    assert.equal(answers.find(record, node), null);
  });

  it('keeps the required freshness of an answer, even after a release', async () => {
    const { record, answers, clock, asked } = someAnswers();
    answers.ask(record, node);
    asked[0]?.answer(found(0));
    await clock.advance(1_000);
    answers.require(record, node, 1_000);
    assert.equal(answers.find(record, node), null);
    answers.release(record);
    await clock.advance(500);
    answers.ask(record, node);
    assert.equal(asked[1]?.maxAgeMs, 500);
    asked[1]?.answer(found(1_200));
    await clock.advance(0);
    assert.notEqual(answers.find(record, node), null);
    answers.release(record);
    assert.equal(record.state.answer, undefined);
  });

  it('ignores an answer older than the maximum age', async () => {
    const { record, answers, clock, asked } = someAnswers();
    answers.ask(record, node);
    asked[0]?.answer(found(0));
    await clock.advance(300_001);
    assert.equal(answers.find(record, node), null);
  });

  it('uses an answer that took longer than the maximum age, but none from before a change', async () => {
    const { record, answers, clock, asked } = someAnswers();
    await clock.advance(1_000);
    answers.ask(record, node);
    await clock.advance(400_000);
    asked[0]?.answer(found(1_000));
    await clock.advance(0);
    assert.notEqual(answers.find(record, node), null);
    await clock.advance(300_000);
    assert.notEqual(answers.find(record, node), null);
    await clock.advance(1);
    assert.equal(answers.find(record, node), null);
    answers.ask(record, node);
    await clock.advance(1_000);
    answers.require(record, node, clock.monotonic());
    asked[1]?.answer(found(clock.monotonic() - 1));
    await clock.advance(0);
    assert.equal(answers.find(record, node), null);
  });

  it('keeps the message of the first of several failures with one code, and counts them all', async () => {
    const { record, answers, clock, asked } = someAnswers();
    const fail = async (err: LookupError): Promise<CloudAnswer | null> => {
      answers.askAgain(record, node);
      asked.at(-1)?.answer({ kind: 'unknown', err, asOfMs: clock.monotonic() });
      await clock.advance(0);
      return answers.find(record, node);
    };
    const first = { kind: 'unknown', reason: 'request 1 failed', asOfMs: 0 };
    const cause = new LookupError('CloudCallFailed', 'request 3 failed');
    const wait = { retry: { afterMs: 9_000 }, cause };
    assert.deepEqual(await fail(new LookupError('CloudCallFailed', 'request 1 failed')), first);
    assert.deepEqual(await fail(new LookupError('CloudCallFailed', 'request 2 failed')), first);
    assert.deepEqual(await fail(new LookupError('CloudThrottled', 'not before 9 s', wait)), first);
    assert.equal(answers.misses(record), 3);
    answers.askAgain(record, node);
    assert.equal(asked.length, 3, 'no call before the time that the cloud asked for');
    await clock.advance(9_000);
    const late = new LookupError('CloudCallTimedOut', 'no answer');
    assert.deepEqual(await fail(late), {
      kind: 'unknown',
      reason: 'no answer',
      asOfMs: 9_000,
    });
    answers.askAgain(record, node);
    asked.at(-1)?.answer(found(9_000));
    await clock.advance(0);
    assert.equal(answers.misses(record), 0);
  });

  it('does not count an answer as a miss if it is older than required', async () => {
    const { record, answers, clock, asked } = someAnswers();
    await clock.advance(1_000);
    answers.ask(record, node);
    asked[0]?.answer({ kind: 'absent', asOfMs: 500 });
    await clock.advance(0);
    assert.equal(answers.misses(record), 1);
    answers.require(record, node, 1_000);
    assert.equal(answers.misses(record), 0);
    answers.ask(record, node);
    asked[1]?.answer({ kind: 'absent', asOfMs: 1_000 });
    await clock.advance(0);
    assert.equal(answers.misses(record), 1);
  });

  it('asks for a required answer until it arrives: at once, then with a growing delay', async () => {
    const { record, answers, clock, asked } = someAnswers();
    const fail = async (err: LookupError): Promise<number | undefined> => {
      answers.ask(record, node);
      asked.at(-1)?.answer({ kind: 'unknown', err, asOfMs: clock.monotonic() });
      await clock.advance(0);
      return answers.retryInMs(record);
    };
    const failure = new LookupError('CloudCallFailed', 'request 1 failed');
    assert.equal(await fail(failure), undefined, 'no answer is required');
    await clock.advance(1_000);
    answers.require(record, node, 1_000);
    assert.equal(answers.find(record, node), null, 'it failed before the answer was required');
    assert.equal(await fail(failure), 500);
    assert.equal(answers.find(record, node)?.kind, 'unknown');
    await clock.advance(500);
    assert.equal(answers.find(record, node), null, 'it is time to ask again');
    assert.equal(await fail(failure), 1_000);
    const wait = { retry: { afterMs: 9_000 } };
    assert.equal(await fail(new LookupError('CloudThrottled', 'not before 9 s', wait)), 9_000);
    assert.equal(
      await fail(failure),
      2_000,
      'a delay that the cloud asked for does not count as a failure',
    );
    answers.ask(record, node);
    asked.at(-1)?.answer(found(1_500));
    await clock.advance(0);
    assert.equal(answers.retryInMs(record), undefined);
    assert.deepEqual(
      asked.map(({ priority }) => priority),
      ['routine', 'urgent', 'routine', 'routine', 'routine', 'routine'],
    );
  });
});
