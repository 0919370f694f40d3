import assert from 'node:assert/strict';
import { CcmError, createMetrics, seededRandom, virtualClock } from '@tandem/runtime';
import type { Answer } from './answer.ts';
import { retryAfterMsMax } from './failure.ts';
import { InstanceLookup } from './instance-lookup.ts';
import { aLookup, anInstance, aNode } from './lookup.fixture.ts';

const cached = { freshness: 'cached', maxAgeMs: 60_000 } as const;
const fresh = { freshness: 'cached', maxAgeMs: 0 } as const;
const authoritative = { freshness: 'authoritative' } as const;

const codeOf = (answer: Answer): string =>
  answer.kind === 'unknown' ? answer.err.code : answer.kind;

const waitOf = (answer: Answer): number =>
  answer.kind === 'unknown' && typeof answer.err.retry === 'object' ? answer.err.retry.afterMs : 0;

const throttling = (afterMs: number): CcmError =>
  new CcmError('Slow down', { code: 'Slow', retry: { afterMs }, effect: 'none' });

describe('instance look-up', () => {
  it('makes one call of all questions that come within a few milliseconds', async () => {
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

  it('asks once about a node that many want to know about', async () => {
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

  it('answers from memory what is young enough, by UID and then by providerID', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.find();
    await asking;
    await clock.advance(59_000);
    const again = await lookup.ask(aNode('a'), cached);
    const named = await lookup.ask(aNode('a', { providerID: 'test:///a' }), cached);
    assert.deepEqual([again, named], [await asking, await asking]);
    assert.deepEqual(again, { kind: 'found', instance: anInstance('a'), askedAtMs: 10 });
    void lookup.ask(aNode('a'), { freshness: 'cached', maxAgeMs: 1_000 });
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('never gives a namesake what was found for its predecessor', async () => {
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

  it('answers an authoritative question only by a call that begins after it', async () => {
    const { clock, lookup, calls } = aLookup();
    const early = lookup.ask(aNode('a'), authoritative);
    await clock.advance(10);
    const late = lookup.ask(aNode('a'), authoritative);
    calls[0]?.find();
    assert.equal(codeOf(await early), 'found');
    await clock.advance(10);
    calls[1]?.answer(new Map([['a', { kind: 'absent' }]]));
    assert.deepEqual(await late, { kind: 'absent', askedAtMs: 20 });
    assert.deepEqual(
      calls.map(({ freshness }) => freshness),
      ['authoritative', 'authoritative'],
    );
  });

  it('asks for both freshnesses apart, and lets the lesser share the greater', async () => {
    const { clock, lookup, calls } = aLookup();
    void lookup.ask(aNode('a'), cached);
    void lookup.ask(aNode('a'), authoritative);
    void lookup.ask(aNode('b'), authoritative);
    void lookup.ask(aNode('b'), cached);
    await clock.advance(10);
    assert.deepEqual(
      calls.map(({ freshness, nodes }) => ({ freshness, nodes })),
      [
        { freshness: 'cached', nodes: ['a'] },
        { freshness: 'authoritative', nodes: ['a', 'b'] },
      ],
    );
  });

  it('refreshes its memory by authoritative answers, and forgets what is absent', async () => {
    const { clock, lookup, calls } = aLookup();
    const first = lookup.ask(aNode('a'), authoritative);
    await clock.advance(10);
    calls[0]?.find();
    await first;
    assert.equal(codeOf(await lookup.ask(aNode('a'), cached)), 'found');
    const second = lookup.ask(aNode('a'), authoritative);
    await clock.advance(10);
    calls[1]?.answer(new Map([['a', { kind: 'absent' }]]));
    await second;
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    assert.equal(calls.length, 3);
  });

  it('asks anew for who wants no answer from memory, without waiting for older calls', async () => {
    const { clock, lookup, calls } = aLookup();
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    void lookup.ask(aNode('a'), fresh);
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('keeps an older answer from replacing a younger one that came first', async () => {
    const { clock, lookup, calls } = aLookup();
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    void lookup.ask(aNode('a'), authoritative);
    await clock.advance(10);
    const renewed = anInstance('a', { zone: 'new' });
    calls[1]?.answer(new Map([['a', { kind: 'found', instance: renewed }]]));
    await clock.advance(0);
    calls[0]?.find();
    await clock.advance(0);
    const known = await lookup.ask(aNode('a'), cached);
    assert.equal(known.kind === 'found' && known.instance.zone, 'new');
  });

  it('does not know what a provider did not answer in time', async () => {
    const { clock, lookup, calls, metric } = aLookup({ limits: { deadlineMs: 1_000 } });
    const asking = lookup.ask(aNode('a'), authoritative);
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
    it(`takes ${name} for no answer, never for an absence`, async () => {
      const { clock, lookup, calls } = aLookup();
      const asking = lookup.ask(aNode('a'), authoritative);
      await clock.advance(10);
      calls[0]?.answer(answers);
      assert.equal(codeOf(await asking), want);
    });
  }

  it('drops and counts answers that nobody asked for, and uses the others', async () => {
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

  it('neither asks nor misses a node of another cloud', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a', { providerID: 'other:///a' }), authoritative);
    await clock.advance(10);
    assert.deepEqual([codeOf(await asking), calls.length], ['ForeignProviderID', 0]);
  });

  it('takes what a provider cannot even tell the owner of for another cloud’s', async () => {
    const { lookup } = aLookup({
      owns() {
        throw new Error('no idea');
      },
    });
    const answer = await lookup.ask(aNode('a', { providerID: 'test:///a' }), cached);
    assert.equal(codeOf(answer), 'ForeignProviderID');
  });

  it('leaves a cloud alone for as long as it asked, and tells everybody how long that is', async () => {
    const { clock, lookup, calls } = aLookup({ limits: { concurrency: 1, batchSize: 1 } });
    const asking = [lookup.ask(aNode('a'), cached), lookup.ask(aNode('b'), cached)];
    await clock.advance(10);
    calls[0]?.fail(throttling(30_000));
    assert.deepEqual((await Promise.all(asking)).map(waitOf), [30_000, 30_000]);
    await clock.advance(20_000);
    assert.equal(waitOf(await lookup.ask(aNode('c'), authoritative)), 10_000);
    await clock.advance(10_000);
    void lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('keeps to the wait that single answers ask for, when all of them do', async () => {
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

  it('understands the wait of an error that is not one of ours', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.fail(Object.assign(new Error('429'), { retryAfterMs: 3_000 }));
    assert.equal(waitOf(await asking), 3_000);
    assert.equal(codeOf(await asking), 'CloudThrottled');
  });

  it('shortens a wait that would stop everything for a day', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.fail(throttling(86_400_000));
    assert.equal(waitOf(await asking), retryAfterMsMax);
  });

  it('goes on asking about others when all that it was asked about last was nonsense', async () => {
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

  it('goes on asking about others when one node alone cannot be known', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.answer(new Map([['a', { kind: 'unknown', err: new Error('two of that name') }]]));
    assert.equal(codeOf(await asking), 'CloudCallFailed');
    void lookup.ask(aNode('b'), cached);
    await clock.advance(10);
    assert.equal(calls.length, 2);
  });

  it('lets no node keep those from their answers that are asked about with it', async () => {
    const names = Array.from({ length: 16 }, (_, index) => `n${index}`);
    const clock = virtualClock({ startMs: 0 });
    const lookup = new InstanceLookup({
      provider: {
        name: 'test',
        owns: () => true,
        lookup: async (nodes) => {
          if (nodes.some(({ name }) => name === 'n5')) throw new Error('not with n5');
          return new Map(nodes.map(({ name }) => [name, { kind: 'absent' }]));
        },
      },
      clock,
      random: seededRandom('poison'),
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

  it('backs off from a cloud that fails, more each time, and forgets it on success', async () => {
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

  it('never gives up on a cloud because of an error that says never', async () => {
    const { clock, lookup, calls } = aLookup();
    const asking = lookup.ask(aNode('a'), cached);
    await clock.advance(10);
    calls[0]?.fail(new CcmError('Token expired', { code: 'Auth', retry: 'never', effect: 'none' }));
    const answer = await asking;
    assert(answer.kind === 'unknown');
    assert.deepEqual([answer.err.code, answer.err.retry], ['CloudCallFailed', 'backoff']);
    assert.match(answer.err.message, /Token expired/);
  });

  it('keeps to the rate and the concurrency, and lets what waits share the next call', async () => {
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

  it('lets a caller go who does not want to wait, and does not ask for nobody', async () => {
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

  it('ends calls and answers everybody when it is closed, and leaves no timer', async () => {
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

  it('lets go of instances that nobody may use any more', async () => {
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
});
