import assert from 'node:assert/strict';
import type { CloudAnswer } from '@tandem/core/node-init';
import { type Answer, LookupError } from '@tandem/provider/lookup';
import { virtualClock, type VirtualClock } from '@tandem/runtime';
import { AnswerBook } from './answer-book.ts';

interface Asked {
  readonly maxAgeMs: number;
  readonly answer: (answer: Answer) => void;
}

function aBook(): {
  readonly book: AnswerBook;
  readonly clock: VirtualClock;
  readonly asked: Asked[];
  readonly heard: CloudAnswer[];
} {
  const clock = virtualClock();
  const asked: Asked[] = [];
  const heard: CloudAnswer[] = [];
  const book = new AnswerBook({
    clock,
    maxAgeMs: 300_000,
    lookup: {
      ask: (_, options) =>
        new Promise((answer) => {
          const maxAgeMs = options.freshness === 'cached' ? options.maxAgeMs : Number.NaN;
          asked.push({ maxAgeMs, answer });
        }),
    },
    onAnswer: (_, answer) => heard.push(answer),
  });
  return { book, clock, asked, heard };
}

const node = { name: 'a', uid: 'u', providerID: '' };

function found(askedAtMs: number, providerID = 'cloud://1'): Answer {
  const instance = {
    providerID,
    addresses: [],
    labels: {},
    podCIDRs: [],
    state: 'running',
  } as const;
  return { kind: 'found', instance, askedAtMs };
}

describe('the book of answers', () => {
  it('asks once however often it is told to, and tells when the answer is there', async () => {
    const { book, clock, asked, heard } = aBook();
    book.ask(node);
    book.ask(node);
    assert.equal(asked.length, 1);
    asked[0]?.answer(found(0));
    await clock.advance(0);
    assert.equal(heard.length, 1);
    assert.equal(book.find(node)?.kind, 'found');
  });

  const cases = [
    {
      name: 'for a node that got the providerID that was found',
      node: { providerID: 'cloud://1' },
      counts: true,
    },
    { name: 'for a node that got another one', node: { providerID: 'cloud://2' }, counts: false },
    { name: 'for a namesake', node: { uid: 'other' }, counts: false },
  ];
  for (const { name, node: changes, counts } of cases) {
    it(`${counts ? 'counts' : 'does not count'} ${name} (P2)`, async () => {
      const { book, clock, asked } = aBook();
      book.ask(node);
      asked[0]?.answer(found(0));
      await clock.advance(0);
      assert.equal(book.find({ ...node, ...changes }) !== null, counts);
    });
  }

  it('drops an answer for a node that is gone', async () => {
    const { book, clock, asked, heard } = aBook();
    book.ask(node);
    book.forget('u');
    book.ask(node);
    asked[0]?.answer(found(0));
    await clock.advance(0);
    assert.deepEqual(heard, []);
    assert.equal(book.find(node), null);
  });

  it('wants an answer that is as fresh as somebody required, also after it was let go of', async () => {
    const { book, clock, asked } = aBook();
    book.ask(node);
    asked[0]?.answer(found(0));
    await clock.advance(1_000);
    book.require(node, 1_000);
    assert.equal(book.find(node), null);
    book.release('u');
    await clock.advance(500);
    book.ask(node);
    assert.equal(asked[1]?.maxAgeMs, 500);
    asked[1]?.answer(found(1_200));
    await clock.advance(0);
    assert.notEqual(book.find(node), null);
    book.release('u');
    assert.equal(book.size, 0);
  });

  it('does not go by an answer that is older than the period', async () => {
    const { book, clock, asked } = aBook();
    book.ask(node);
    asked[0]?.answer(found(0));
    await clock.advance(300_001);
    assert.equal(book.find(node), null);
  });

  it('keeps the words of the first of several failures of one kind, and counts them', async () => {
    const { book, clock, asked } = aBook();
    const fail = async (err: LookupError): Promise<CloudAnswer | null> => {
      book.askAgain(node);
      asked.at(-1)?.answer({ kind: 'unknown', err });
      await clock.advance(0);
      return book.find(node);
    };
    const first = { kind: 'unknown', reason: 'request 1 failed' };
    const cause = new LookupError('CloudCallFailed', 'request 3 failed');
    const wait = { retry: { afterMs: 9_000 }, cause };
    assert.deepEqual(await fail(new LookupError('CloudCallFailed', 'request 1 failed')), first);
    assert.deepEqual(await fail(new LookupError('CloudCallFailed', 'request 2 failed')), first);
    assert.deepEqual(await fail(new LookupError('CloudThrottled', 'not before 9 s', wait)), first);
    assert.equal(book.misses('u'), 3);
    book.askAgain(node);
    assert.equal(asked.length, 3, 'the cloud is left alone for as long as it wants');
    await clock.advance(9_000);
    const late = new LookupError('CloudCallTimedOut', 'no answer');
    assert.deepEqual(await fail(late), { kind: 'unknown', reason: 'no answer' });
    book.askAgain(node);
    asked.at(-1)?.answer(found(9_000));
    await clock.advance(0);
    assert.equal(book.misses('u'), 0);
  });
});
