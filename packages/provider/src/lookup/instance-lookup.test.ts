import assert from 'node:assert/strict';
import { CcmError, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import { retryAfterMsMax } from '../calls/index.ts';
import type { Answer } from './answer.ts';
import type { Instance } from '../plug/index.ts';
import { InstanceLookup } from './instance-lookup.ts';
import { aKnownInstance, aLookup, anInstance, aNode } from './lookup.fixture.ts';

const cached = { maxAgeMs: 60_000 } as const;
const fresh = { maxAgeMs: 0 } as const;

const codeOf = (answer: Answer): string =>
  answer.kind === 'unknown' ? answer.err.code : answer.kind;

const waitOf = (answer: Answer): number =>
  answer.kind === 'unknown' && typeof answer.err.retry === 'object' ? answer.err.retry.afterMs : 0;

const throttling = (afterMs: number): CcmError =>
  new CcmError('Slow down', { code: 'Slow', retry: { afterMs }, effect: 'none' });

describe('instance look-up', () => {
  it('combines the questions of a few milliseconds into one call', async () => {
    const { clock, lookup, calls } = aLookup();
    const first = lookup.ask(aNode('a'), cached);
    await clock.advance(5);
    const second = lookup.ask(aNode('b'), cached);
    await clock.advance(5);
    calls[0]?.find();
    assert.deepEqual([codeOf(await first), codeOf(await second)], ['found', 'found']);
    assert.deepEqual(
      calls.map(({ nodes }) => nodes),
      [['a', 'b']],
    );
  });

  describe('with a provider that prefers few calls', () => {
    const limits = { gatherPauseMs: 100, gatherMsMax: 500 };
    const begunAt = async (askedAtMs: readonly number[]): Promise<number[]> => {
      const { clock, lookup, calls } = aLookup({ limits });
      for (let nowMs = 0; nowMs <= 2_000; nowMs += 10) {
        if (askedAtMs.includes(nowMs)) void lookup.ask(aNode(`at-${nowMs}`), cached);
        await clock.advance(10);
        for (const call of calls) call.find();
      }
      return calls.map(({ atMs }) => atMs);
    };
    const every = (stepMs: number, count: number): number[] =>
      Array.from({ length: count }, (_, index) => index * stepMs);

    it('waits for a pause between questions, but at most half a second', async () => {
      assert.deepEqual(await begunAt([0]), [100]);
      assert.deepEqual(await begunAt(every(50, 6)), [350]);
      assert.deepEqual(await begunAt(every(50, 20)), [500, 1_000]);
    });

    it('does not wait if the call is full or a question is urgent', async () => {
      const full = aLookup({ limits: { ...limits, batchSize: 2 } });
      for (const name of ['a', 'b']) void full.lookup.ask(aNode(name), cached);
      await full.clock.advance(0);
      assert.equal(full.calls.length, 1);
      const { clock, lookup, calls } = aLookup({ limits });
      void lookup.ask(aNode('a'), cached);
      await clock.advance(20);
      assert.equal(calls.length, 0);
      void lookup.ask(aNode('a'), { ...cached, priority: 'urgent' });
      await clock.advance(10);
      assert.equal(calls.length, 1);
    });
  });

  it('asks once about a node for several callers', async () => {
    const { clock, lookup, calls, metric } = aLookup();
    const asking = [1, 2, 3].map(() => lookup.ask(aNode('a'), cached));
    await clock.advance(10);
    asking.push(lookup.ask(aNode('a'), cached));
    calls[0]?.find();
    assert.equal(new Set(await Promise.all(asking)).size, 1);
    assert.equal(calls.length, 1);
    assert.equal(await metric('tandem_cloud_lookups_total{provider="test",source="shared"}'), '3');
  });

  it('initialises 5,000 nodes with ten calls', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = Array.from({ length: 5_000 }, (_, index) =>
      lookup.ask(aNode(`node-${index}`), cached),
    );
    for (let round = 0; round < 3; round++) {
      await clock.advance(10);
      for (const call of calls) call.find();
    }
    const answers = await Promise.all(asking);
    assert(answers.every(({ kind }) => kind === 'found'));
    assert.deepEqual([calls.length, calls[0]?.nodes.length], [10, 500]);
  });

  it('answers from the cache if the answer is young enough, by UID and then by providerID', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.find();
    await asking;
    await clock.advance(59_000);
    const again = await lookup.ask(aNode('a'), cached);
    const named = await lookup.ask(aNode('a', { providerID: 'test:///a' }), cached);
    assert.deepEqual([again, named], [await asking, await asking]);
    assert.deepEqual(again, { kind: 'found', instance: aKnownInstance('a'), asOfMs: 10 });
    void lookup.ask(aNode('a'), { maxAgeMs: 1_000 });
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('never gives a namesake the answer for its predecessor', async () => {
    const { clock, lookup, calls } = aLookup();
    const old = lookup.ask(aNode('a', { uid: 'old' }), cached);
    const young = lookup.ask(aNode('a', { uid: 'young' }), cached);
    await clock.advance(10);
    assert.deepEqual(
      calls.map(({ nodes }) => nodes),
      [['a'], ['a']],
    );
    calls[0]?.find();
    calls[1]?.answer(new Map([['a', { kind: 'absent' }]]));
    assert.deepEqual([codeOf(await old), codeOf(await young)], ['found', 'absent']);
    void lookup.ask(aNode('a', { uid: 'young' }), cached);
    await clock.advance(10);
    assert.equal(calls.length, 3);
  });

  it('answers a question that accepts no cached answer only with a call that begins after it', async () => {
    const { clock, lookup, calls } = aLookup();
    const early = lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    const late = lookup.ask(aNode('a'), fresh);
    calls[0]?.find();
    assert.equal(codeOf(await early), 'found');
    await clock.advance(10);
    calls[1]?.answer(new Map([['a', { kind: 'absent' }]]));
    assert.deepEqual(await late, { kind: 'absent', asOfMs: 20 });
    assert.deepEqual(
      calls.map(({ maxAgeMs }) => maxAgeMs),
      [0, 0],
    );
  });

  it('combines questions with different maximum ages into one call with the smallest age', async () => {
    const { clock, lookup, calls } = aLookup();
    void lookup.ask(aNode('a'), cached);
    void lookup.ask(aNode('b'), { maxAgeMs: 5_000 });
    await clock.advance(10);
    void lookup.ask(aNode('c'), cached);
    void lookup.ask(aNode('c'), fresh);
    void lookup.ask(aNode('d'), cached);
    await clock.advance(10);
    assert.deepEqual(
      calls.map(({ maxAgeMs, nodes }) => ({ maxAgeMs, nodes })),
      [
        // The time that the question waited is added, because older data was acceptable when it was
        // asked.
        { maxAgeMs: 5_010, nodes: ['a', 'b'] },
        { maxAgeMs: 0, nodes: ['c', 'd'] },
      ],
    );
  });

  it('uses the age that the provider states, not that of the call', async () => {
    const { clock, lookup, calls } = aLookup();
    await clock.advance(30_000);
    const found = { kind: 'found', instance: aKnownInstance('a'), asOfMs: 10_000 };
    const first = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.answer(new Map([['a', found]]));
    assert.deepEqual(await first, found);
    assert.deepEqual(await lookup.ask(aNode('a'), { maxAgeMs: 25_000 }), found);
    void lookup.ask(aNode('a'), { maxAgeMs: 15_000 });
    await clock.advance(10);
    assert.equal(calls.length, 2, 'the cached answer is 20 seconds old');
  });

  for (const kind of ['found', 'absent']) {
    it(`treats an answer that is older than required as unknown, never as ${kind} (P3)`, async () => {
      const { clock, lookup, calls, metric } = aLookup();
      await clock.advance(30_000);
      const asking = [lookup.ask(aNode('a'), fresh), lookup.ask(aNode('b'), cached)];
      await clock.advance(10);
      const answer = (name: string): object => ({
        kind,
        instance: anInstance(name),
        asOfMs: 20_000,
      });
      calls[0]?.answer(new Map(['a', 'b'].map((name) => [name, answer(name)])));
      // The other question accepts an older answer.
      assert.deepEqual((await Promise.all(asking)).map(codeOf), ['CloudAnswerTooOld', kind]);
      const dropped = 'tandem_cloud_answers_dropped_total{provider="test",reason="too_old"}';
      assert.equal(await metric(dropped), '1');
    });
  }

  it('asks again if the shared answer is too old for one of the callers', async () => {
    const { clock, lookup, calls } = aLookup();
    await clock.advance(30_000);
    const patient = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    const asking = lookup.ask(aNode('a'), { maxAgeMs: 1_000 });
    const copy = { kind: 'found', instance: aKnownInstance('a'), asOfMs: 5_000 };
    calls[0]?.answer(new Map([['a', copy]]));
    assert.deepEqual(await patient, copy);
    await clock.advance(10);
    calls[1]?.find();
    assert.deepEqual(await asking, { ...copy, asOfMs: 30_020 });
  });

  it('updates its cache with new answers, and removes absent instances', async () => {
    const { clock, lookup, calls } = aLookup();
    const first = lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    calls[0]?.find();
    await first;
    assert.equal(codeOf(await lookup.ask(aNode('a'), cached)), 'found');
    const second = lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    calls[1]?.answer(new Map([['a', { kind: 'absent' }]]));
    await second;
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    assert.equal(calls.length, 3);
  });

  it('keeps one object for an unchanged instance, however often it is refreshed', async () => {
    const { clock, lookup, calls } = aLookup();
    const node = aNode('a');
    const refresh = async (instance: Instance): Promise<void> => {
      await clock.advance(1_000);
      const answer = lookup.ask(node, fresh);
      await clock.advance(10);
      calls.at(-1)?.answer(new Map([['a', { kind: 'found', instance }]]));
      await answer;
    };
    await refresh(anInstance('a'));
    const first = lookup.recall(node);
    await refresh(anInstance('a'));
    const second = lookup.recall(node);
    assert.equal(second?.instance, first?.instance);
    assert.deepEqual([first?.asOfMs, second?.asOfMs], [1_010, 2_020]);
    await refresh(anInstance('a', { zone: 'b' }));
    assert.equal(lookup.recall(node)?.instance.zone, 'b');
  });

  it('makes a new call for a caller that accepts no cached answer, without waiting for earlier calls', async () => {
    const { clock, lookup, calls } = aLookup();
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    void lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('does not replace a newer answer with an older one that arrives later', async () => {
    const { clock, lookup, calls } = aLookup();
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    void lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    const renewed = anInstance('a', { zone: 'new' });
    calls[1]?.answer(new Map([['a', { kind: 'found', instance: renewed }]]));
    await clock.advance(0);
    calls[0]?.find();
    await clock.advance(0);
    const known = await lookup.ask(aNode('a'), cached);
    assert.equal(known.kind === 'found' && known.instance.zone, 'new');
  });

  it('answers unknown if the provider does not answer in time', async () => {
    const { clock, lookup, calls, metric } = aLookup({ limits: { deadlineMs: 1_000 } });
    const asking = lookup.ask(aNode('a'), fresh);
    await clock.advance(1_010);
    assert.equal(codeOf(await asking), 'CloudCallTimedOut');
    assert.equal(calls[0]?.signal.aborted, true);
    calls[0]?.answer(new Map([['a', { kind: 'absent' }]]));
    await clock.advance(0);
    const label = '{provider="test",freshness="authoritative",outcome="timed_out"}';
    assert.equal(await metric(`tandem_cloud_calls_total${label}`), '1');
  });

  const nonsense = [
    { name: 'nothing', answers: undefined, want: 'CloudAnswerMalformed' },
    { name: 'a plain object', answers: { a: { kind: 'absent' } }, want: 'CloudAnswerMalformed' },
    { name: 'an empty map', answers: new Map(), want: 'CloudAnswerMissing' },
    {
      name: 'another node',
      answers: new Map([['b', { kind: 'absent' }]]),
      want: 'CloudAnswerMissing',
    },
    { name: 'a text', answers: new Map([['a', 'absent']]), want: 'CloudAnswerMalformed' },
    {
      name: 'a strange kind',
      answers: new Map([['a', { kind: 'gone' }]]),
      want: 'CloudAnswerMalformed',
    },
    {
      name: 'no instance',
      answers: new Map([['a', { kind: 'found' }]]),
      want: 'CloudAnswerMalformed',
    },
    { name: 'no reason', answers: new Map([['a', { kind: 'unknown' }]]), want: 'CloudCallFailed' },
  ];
  for (const { name, answers, want } of nonsense) {
    it(`treats ${name} as unknown, never as an absence`, async () => {
      const { clock, lookup, calls } = aLookup();
      const asking = lookup.ask(aNode('a'), fresh);
      await clock.advance(10);
      calls[0]?.answer(answers);
      assert.equal(codeOf(await asking), want);
    });
  }

  it('drops and counts unrequested and malformed answers, and uses the others', async () => {
    const { clock, lookup, calls, metric } = aLookup();
    const asking = [lookup.ask(aNode('a'), cached), lookup.ask(aNode('b'), cached)];
    await clock.advance(10);
    calls[0]?.answer(
      new Map<string, unknown>([
        ['a', { kind: 'found', instance: anInstance('a') }],
        ['b', { kind: 'found', instance: { providerID: 7 } }],
        ['c', { kind: 'absent' }],
      ]),
    );
    assert.deepEqual((await Promise.all(asking)).map(codeOf), ['found', 'CloudAnswerMalformed']);
    const dropped = 'tandem_cloud_answers_dropped_total{provider="test",reason=';
    assert.equal(await metric(`${dropped}"not_asked"}`), '1');
    assert.equal(await metric(`${dropped}"malformed"}`), '1');
  });

  it('makes no call for a node of another cloud, and does not report it as absent', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a', { providerID: 'other:///a' }), fresh);
    await clock.advance(10);
    assert.deepEqual([codeOf(await asking), calls.length], ['ForeignProviderID', 0]);
  });

  const clueless: readonly { does: string; identify: () => unknown }[] = [
    {
      does: 'throws',
      identify: () => {
        throw new Error('no idea');
      },
    },
    { does: 'gives an empty key', identify: () => '' },
    { does: 'gives a key that is not a string', identify: () => ({ id: 1 }) },
  ];
  for (const { does, identify } of clueless) {
    it(`treats a node as one of another cloud if the provider’s identify ${does}`, async () => {
      const { lookup } = aLookup({ identify: identify as () => string });
      const answer = await lookup.ask(aNode('a', { providerID: 'test:///a' }), cached);
      assert.equal(codeOf(answer), 'ForeignProviderID');
      assert.equal(lookup.identify('test:///a'), undefined);
      assert.equal(lookup.owns({ providerID: 'test:///a' }), false);
    });
  }

  it('accepts an instance only if the node’s providerID names it, in any spelling', async () => {
    const { clock, lookup, calls } = aLookup();
    const nodes = ['test:///A', 'test:///b'].map((providerID) => aNode('a', { providerID }));
    const asking = nodes.map((node) => lookup.ask(node, fresh));
    await clock.advance(10);
    for (const call of calls) call.find();
    const codes = (await Promise.all(asking)).map(codeOf);
    assert.deepEqual(codes, ['found', 'CloudAnswerMalformed']);
  });

  it('makes no call before the time that the cloud asked for, and tells all callers the delay', async () => {
    const { clock, lookup, calls } = aLookup({ limits: { concurrency: 1, batchSize: 1 } });
    const asking = [lookup.ask(aNode('a'), cached), lookup.ask(aNode('b'), cached)];
    await clock.advance(10);
    calls[0]?.fail(throttling(30_000));
    assert.deepEqual((await Promise.all(asking)).map(waitOf), [30_000, 30_000]);
    await clock.advance(20_000);
    assert.equal(waitOf(await lookup.ask(aNode('c'), fresh)), 10_000);
    await clock.advance(10_000);
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('pauses all calls for the longest delay if every answer asks for one', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = [lookup.ask(aNode('a'), cached), lookup.ask(aNode('b'), cached)];
    await clock.advance(10);
    const busy = { kind: 'unknown', err: new Error('busy'), retryAfterMs: 5_000 };
    calls[0]?.answer(
      new Map([
        ['a', busy],
        ['b', { ...busy, retryAfterMs: 7_000 }],
      ]),
    );
    assert.deepEqual((await Promise.all(asking)).map(waitOf), [5_000, 7_000]);
    assert.equal(waitOf(await lookup.ask(aNode('c'), cached)), 7_000);
  });

  it('reads the delay from a foreign error', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.fail(Object.assign(new Error('429'), { retryAfterMs: 3_000 }));
    assert.equal(waitOf(await asking), 3_000);
    assert.equal(codeOf(await asking), 'CloudThrottled');
  });

  it('limits a delay that would stop all calls for a day', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.fail(throttling(86_400_000));
    assert.equal(waitOf(await asking), retryAfterMsMax);
  });

  it('makes further calls about other nodes after a call with only malformed answers', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = [lookup.ask(aNode('a'), cached), lookup.ask(aNode('b'), cached)];
    await clock.advance(10);
    calls[0]?.answer(new Map<string, unknown>([['a', { kind: 'found', instance: 7 }]]));
    assert.deepEqual((await Promise.all(asking)).map(codeOf), [
      'CloudAnswerMalformed',
      'CloudAnswerMissing',
    ]);
    const other = lookup.ask(aNode('c'), cached);
    await clock.advance(10);
    calls[1]?.answer(new Map([['c', { kind: 'absent' }]]));
    assert.equal(codeOf(await other), 'absent');
  });

  it('makes further calls about other nodes after an unknown answer about one', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.answer(new Map([['a', { kind: 'unknown', err: new Error('two of that name') }]]));
    assert.equal(codeOf(await asking), 'CloudCallFailed');
    void lookup.ask(aNode('b'), cached);
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('gets answers about all other nodes although one node makes every call with it fail', async () => {
    const names = Array.from({ length: 16 }, (_, index) => `n${index}`);
    const clock = virtualClock({ startMs: 0 });
    const lookup = new InstanceLookup({
      provider: {
        name: 'test',
        identify: (providerID) => providerID,
        lookup: async (nodes) => {
          if (nodes.some(({ name }) => name === 'n5')) throw new Error('not with n5');
          const asOfMs = clock.monotonic();
          return new Map(nodes.map(({ name }) => [name, { kind: 'absent', asOfMs }]));
        },
      },
      clock,
      random: seededRandom('poison'),
      logger: silentLogger,
      metrics: createMetrics(),
    });
    const answered = new Set<string>();
    for (let minute = 0; minute < 12; minute++) {
      const open = names.filter((name) => !answered.has(name));
      for (const name of open) {
        void lookup
          .ask(aNode(name), fresh)
          .then(({ kind }) => kind === 'absent' && answered.add(name));
      }
      await clock.advance(60_000);
    }
    assert.deepEqual(
      names.filter((name) => !answered.has(name)),
      ['n5'],
    );
  });

  it('backs off from a failing cloud with a growing delay, which a success resets', async () => {
    const { clock, lookup, calls } = aLookup();
    const waits: number[] = [];
    for (let failures = 0; failures < 12; failures++) {
      void lookup.ask(aNode('a'), cached);
      await clock.advance(10);
      calls.at(-1)?.fail(new Error('down'));
      await clock.advance(0);
      const wait = waitOf(await lookup.ask(aNode('a'), cached));
      waits.push(wait);
      await clock.advance(wait);
    }
    assert.equal(calls.length, 12);
    assert(waits.every((wait, index) => wait >= Math.min(250 * 2 ** index, 15_000)));
    assert(waits.every((wait) => wait <= 30_000));
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls.at(-1)?.find();
    const failing = lookup.ask(aNode('b'), cached);
    await clock.advance(10);
    calls.at(-1)?.fail(new Error('down'));
    await failing;
    assert(waitOf(await lookup.ask(aNode('b'), cached)) <= 500);
  });

  it('shortens the back-off for an urgent question, but not a delay that the cloud asked for', async () => {
    const { clock, lookup, calls } = aLookup();
    const urgent = { ...fresh, priority: 'urgent' } as const;
    for (let failures = 0; failures < 6; failures++) {
      const asking = lookup.ask(aNode('a'), urgent);
      await clock.advance(10);
      calls.at(-1)?.fail(new Error('503'));
      assert.equal(codeOf(await asking), 'CloudCallFailed');
      assert(waitOf(await lookup.ask(aNode('a'), urgent)) <= 500);
      await clock.advance(500);
    }
    assert(waitOf(await lookup.ask(aNode('a'), fresh)) > 5_000);
    const asking = lookup.ask(aNode('a'), urgent);
    await clock.advance(10);
    calls.at(-1)?.fail(throttling(7_000));
    await asking;
    assert.equal(waitOf(await lookup.ask(aNode('a'), urgent)), 7_000);
    assert.equal(calls.length, 7);
  });

  it('retries even after an error whose retry is never', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.fail(new CcmError('Token expired', { code: 'Auth', retry: 'never', effect: 'none' }));
    const answer = await asking;
    assert(answer.kind === 'unknown');
    assert.deepEqual([answer.err.code, answer.err.retry], ['CloudCallFailed', 'backoff']);
    assert.match(answer.err.message, /Token expired/);
  });

  it('obeys the limits of rate and concurrency, and combines waiting questions', async () => {
    const limits = { concurrency: 2, batchSize: 2, callsPerSecond: 1, burst: 1 };
    const { clock, lookup, calls } = aLookup({ limits });
    for (const name of ['a', 'b', 'c']) void lookup.ask(aNode(name), cached);
    await clock.advance(500);
    void lookup.ask(aNode('d'), cached);
    await clock.advance(5_000);
    assert.deepEqual(
      calls.map(({ nodes, atMs }) => ({ nodes, atMs })),
      [
        { nodes: ['a', 'b'], atMs: 0 },
        { nodes: ['c', 'd'], atMs: 1_000 },
      ],
    );
    void lookup.ask(aNode('e'), cached);
    await clock.advance(5_000);
    assert.equal(calls.length, 2);
    calls[0]?.find();
    await clock.advance(0);
    assert.deepEqual(calls[2]?.nodes, ['e']);
  });

  it('rejects for a caller that aborts, and makes no call without a caller', async () => {
    const { clock, lookup, calls } = aLookup();
    const controller = new AbortController();
    const { signal } = controller;
    const asking = lookup.ask(aNode('a'), { ...cached, signal });
    const other = lookup.ask(aNode('b'), { ...cached, signal });
    const patient = lookup.ask(aNode('b'), cached);
    controller.abort(new Error('enough'));
    await assert.rejects(asking, { message: 'enough' });
    await assert.rejects(other, { message: 'enough' });
    await clock.advance(10);
    assert.deepEqual(
      calls.map(({ nodes }) => nodes),
      [['b']],
    );
    calls[0]?.find();
    assert.equal(codeOf(await patient), 'found');
    await assert.rejects(lookup.ask(aNode('a'), { ...cached, signal }), { message: 'enough' });
  });

  it('ends calls and answers every caller when it is closed, and leaves no timer', async () => {
    const { clock, lookup, calls } = aLookup();
    const underWay = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    const waiting = lookup.ask(aNode('b'), cached);
    lookup.close();
    lookup.close();
    const later = lookup.ask(aNode('c'), cached);
    const answers = await Promise.all([underWay, waiting, later]);
    assert.deepEqual(answers.map(codeOf), ['LookupClosed', 'LookupClosed', 'LookupClosed']);
    assert.deepEqual([calls[0]?.signal.aborted, clock.pending], [true, 0]);
  });

  it('removes instances from the cache when they are too old or their node is forgotten', async () => {
    const { clock, lookup, calls, metric } = aLookup({ keepMs: 1_000 });
    for (const name of ['a', 'b']) {
      void lookup.ask(aNode(name), cached);
      await clock.advance(10);
      calls.at(-1)?.find();
      await clock.advance(2_000);
    }
    assert.equal(await metric('tandem_cloud_cached_instances{provider="test"}'), '2');
    lookup.forget(aNode('b'));
    assert.equal(await metric('tandem_cloud_cached_instances{provider="test"}'), '0');
  });

  it('remembers by UID which nodes without a providerID it has found, until they are forgotten', async () => {
    const { clock, lookup, calls } = aLookup();
    const [a, absent] = [aNode('a'), aNode('absent')];
    const asked = [a, absent].map((node) => lookup.ask(node, cached));
    await clock.advance(10);
    assert.ok(!lookup.hasFound(a));
    calls[0]?.answer(
      new Map([
        ['a', { kind: 'found', instance: anInstance('a') }],
        ['absent', { kind: 'absent' }],
      ]),
    );
    await Promise.all(asked);
    assert.deepEqual([lookup.hasFound(a), lookup.hasFound(absent)], [true, false]);
    assert.ok(!lookup.hasFound(aNode('a', { uid: 'a namesake' })));
    // A later absence does not change that the instance was found once.
    const again = lookup.ask(a, fresh);
    await clock.advance(10);
    calls[1]?.answer(new Map([['a', { kind: 'absent' }]]));
    await again;
    assert.ok(lookup.hasFound(a));
    lookup.forget(aNode('a', { providerID: 'test:///a' }));
    assert.ok(!lookup.hasFound(a));
  });

  it('remembers by UID that a node is not ours, until it is found, absent or forgotten', async () => {
    const { clock, lookup, calls, metric } = aLookup();
    const ask = async (answer: unknown): Promise<string> => {
      const asking = lookup.ask(aNode('a'), fresh);
      await clock.advance(250);
      calls.at(-1)?.answer(new Map([['a', answer]]));
      return codeOf(await asking);
    };
    const notOurs = { kind: 'notOurs' };
    const found = { kind: 'found', instance: anInstance('a') };
    for (const other of [found, { kind: 'absent' }]) {
      assert.equal(await ask(notOurs), 'notOurs');
      assert.ok(lookup.isNotOurs({ uid: 'uid-a' }));
      assert.equal(lookup.hasFound({ uid: 'uid-a' }), false);
      await ask({ kind: 'unknown', err: new Error('down') });
      assert.ok(lookup.isNotOurs({ uid: 'uid-a' }), 'a failure changes nothing');
      await ask(other);
      assert.equal(lookup.isNotOurs({ uid: 'uid-a' }), false);
    }
    await ask(notOurs);
    lookup.forget(aNode('a'));
    assert.equal(lookup.isNotOurs({ uid: 'uid-a' }), false);
    assert.equal(
      await metric('tandem_cloud_answers_total{provider="test",answer="not_ours"}'),
      '3',
    );
  });

  it('forgets the instance of a node that is no longer ours', async () => {
    const { clock, lookup, calls } = aLookup();
    const first = lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    calls[0]?.find();
    await first;
    const second = lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    calls[1]?.answer(new Map([['a', { kind: 'notOurs' }]]));
    await second;
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    assert.equal(calls.length, 3);
  });

  it('asks about both nodes of one providerID if the first is not ours', async () => {
    const { clock, lookup, calls } = aLookup();
    const providerID = 'test:///x';
    const asking = ['a', 'b'].map((name) => lookup.ask(aNode(name, { providerID }), cached));
    await clock.advance(10);
    calls[0]?.answer(new Map([['a', { kind: 'notOurs' }]]));
    await clock.advance(10);
    calls[1]?.answer(new Map([['b', { kind: 'found', instance: anInstance('x') }]]));
    const answers = await Promise.all(asking);
    assert.deepEqual(answers.map(codeOf), ['notOurs', 'found']);
  });

  it('passes the renewed labels of a node if they change before the call begins', async () => {
    const { clock, lookup, calls } = aLookup();
    const asked = aNode('a', { labels: { a: '1' } });
    void lookup.ask(asked, cached);
    lookup.renew({ ...asked, labels: { a: '2' } });
    lookup.renew({ ...asked, uid: 'of a namesake', labels: { a: '3' } });
    await clock.advance(10);
    assert.deepEqual(calls[0]?.refs[0]?.labels, { a: '2' });
  });

  it('dates an answer to the beginning of its call if the node changed during the call', async () => {
    for (const isChanged of [true, false]) {
      const { clock, lookup, calls } = aLookup();
      const asked = aNode('a', { labels: { a: '1' } });
      const answering = lookup.ask(asked, cached);
      await clock.advance(10);
      const begunAtMs = clock.monotonic();
      await clock.advance(1_000);
      if (isChanged) lookup.renew({ ...asked, labels: { a: '2' } });
      const asOfMs = clock.monotonic();
      calls[0]?.answer(new Map([['a', { kind: 'found', instance: anInstance('a'), asOfMs }]]));
      assert.equal((await answering).asOfMs, isChanged ? begunAtMs : asOfMs);
      assert.deepEqual(calls[0]?.refs[0]?.labels, { a: '1' });
    }
  });

  it('passes the provider a frozen copy of the labels, and the systemUUID', async () => {
    const { clock, lookup, calls } = aLookup();
    const labels: Record<string, string> = { a: '1' };
    void lookup.ask(aNode('a', { labels, systemUUID: 's' }), cached);
    labels['a'] = '2';
    await clock.advance(10);
    assert.deepEqual(calls[0]?.refs[0]?.labels, { a: '1' });
    assert.equal(calls[0]?.refs[0]?.systemUUID, 's');
    assert.ok(Object.isFrozen(calls[0]?.refs[0]?.labels));
  });

  it('keeps nothing about a node that was forgotten during its look-up', async () => {
    const providerIDs = ['', 'test:///a'];
    for (const providerID of providerIDs) {
      for (const hasBegun of [true, false]) {
        const { clock, lookup, calls, metric } = aLookup();
        const node = aNode('a', { providerID });
        const asked = lookup.ask(node, cached);
        if (hasBegun) await clock.advance(10);
        // The node may have got its providerID in the meantime.
        lookup.forget(aNode('a', { providerID: 'test:///a' }));
        await clock.advance(10);
        calls[0]?.find();
        assert.equal(codeOf(await asked), 'found');
        assert.ok(!lookup.hasFound(node));
        assert.equal(await metric('tandem_cloud_cached_instances{provider="test"}'), '0');
      }
    }
  });

  it('keeps the instance of a node while another node of the same providerID is forgotten', async () => {
    const { clock, lookup, calls, metric } = aLookup();
    const [first, twin] = [aNode('a'), aNode('twin')].map((node) => ({
      ...node,
      providerID: 'test:///a',
    }));
    assert.ok(first !== undefined && twin !== undefined);
    const asked = lookup.ask(first, cached);
    await clock.advance(10);
    lookup.forget(twin);
    calls[0]?.find();
    await asked;
    assert.equal(await metric('tandem_cloud_cached_instances{provider="test"}'), '1');
  });
});
