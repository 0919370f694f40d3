import assert from 'node:assert/strict';
import { CcmError } from '@tandem/runtime';
import { retryAfterMsMax } from '../calls/index.ts';
import type { Listing } from './listing.ts';
import type { OperationResult } from './route-tables.ts';
import { aCreate, aRoute, creates, someRouteTables } from './routes.fixture.ts';

const { signal } = new AbortController();
const mayWrite = { signal, beforeWrite: () => {} };

const textOf = (result: OperationResult | Listing): string =>
  'err' in result ? `${result.kind} ${result.err.code} ${result.err.effect}` : result.kind;

const waitOf = (result: OperationResult | Listing | undefined): unknown =>
  result !== undefined && 'err' in result ? result.err.retry : undefined;

const throttling = (afterMs: number): CcmError =>
  new CcmError('Slow down', { code: 'Slow', retry: { afterMs }, effect: 'none' });

describe('listing routes', () => {
  it('asks the cloud every time, and parses destinations', async () => {
    const { clock, tables, calls } = someRouteTables();
    const routes = [aRoute({ destination: 'FD00:10:0:0:0:0:0:0/64' })];
    for (let times = 1; times <= 2; times++) {
      const listing = tables.list(signal);
      await clock.advance(0);
      calls.at(-1)?.answer({ asOfMs: 0, tables: [{ id: 'main', routes }] });
      const listed = await listing;
      assert(listed.kind === 'listed');
      assert.equal(listed.tables[0]?.routes[0]?.text, 'FD00:10:0:0:0:0:0:0/64');
      assert.equal(listed.tables[0].routes[0].destination?.prefixLength, 64);
      assert.equal(calls.length, times);
    }
  });

  it('treats a list without tables as an answer, and a failure as unknown', async () => {
    const { clock, tables, calls, metric } = someRouteTables();
    const empty = tables.list(signal);
    const failed = tables.list(signal);
    await clock.advance(0);
    calls[0]?.answer({ asOfMs: 0, tables: [] });
    calls[1]?.fail(new Error('503'));
    assert.deepEqual(await empty, { kind: 'listed', asOfMs: 0, tables: [] });
    assert.equal(textOf(await failed), 'unknown RouteCallFailed none');
    const line = 'tandem_cloud_route_calls_total{provider="test",operation="list",outcome=';
    assert.equal(await metric(`${line}"answered"}`), '1');
    assert.equal(await metric(`${line}"failed"}`), '1');
  });

  it('answers unknown when the deadline passes or its caller aborts', async () => {
    const { clock, tables, calls } = someRouteTables({ deadlineMs: 1_000 });
    const late = tables.list(signal);
    await clock.advance(1_000);
    assert.equal(textOf(await late), 'unknown RouteCallTimedOut none');
    assert.equal(calls[0]?.signal.aborted, true);
    const caller = new AbortController();
    const stopped = tables.list(caller.signal);
    await clock.advance(0);
    caller.abort(new Error('over'));
    assert.equal(textOf(await stopped), 'unknown RouteCallAborted none');
    assert.equal(textOf(await tables.list(caller.signal)), 'unknown RouteCallAborted none');
    assert.equal(calls.length, 2);
  });

  it('does not accept data from before the call', async () => {
    const { clock, tables, calls } = someRouteTables();
    await clock.advance(500);
    const listing = tables.list(signal);
    await clock.advance(10);
    calls[0]?.answer({ asOfMs: 499, tables: [] });
    assert.equal(textOf(await listing), 'unknown RouteListingTooOld none');
  });

  it('makes no call for as long as the cloud asks, up to ten minutes', async () => {
    const { clock, tables, calls } = someRouteTables();
    const throttled = tables.list(signal);
    await clock.advance(0);
    calls[0]?.fail(throttling(86_400_000));
    assert.deepEqual(waitOf(await throttled), { afterMs: retryAfterMsMax });
    await clock.advance(1_000);
    const waiting = await tables.list(signal);
    assert.equal(textOf(waiting), 'unknown RouteCallsThrottled none');
    assert.deepEqual(waitOf(waiting), { afterMs: retryAfterMsMax - 1_000 });
    const [unsent] = await tables.apply(creates(1), mayWrite);
    assert.equal(unsent && textOf(unsent), 'notSent RouteCallsThrottled none');
    await clock.advance(retryAfterMsMax);
    void tables.list(signal);
    await clock.advance(0);
    assert.equal(calls.length, 2);
  });
});

describe('applying operations on routes', () => {
  it('sends batches of one table, within the limits, and keeps the order of the results', async () => {
    const { clock, tables, calls } = someRouteTables({ batchSize: 2, concurrency: 2 });
    const operations = [
      ...creates(3, 'a'),
      aCreate(3, 'b'),
      aCreate(4, 'a'),
      aCreate(5, 'b'),
      aCreate(6, 'a'),
    ];
    const applying = tables.apply(operations, mayWrite);
    await clock.advance(1);
    assert.equal(calls.length, 2);
    const refusal = new Error('no');
    for (let next = 0; next < calls.length; next++) {
      const call = calls[next];
      call?.answer(
        call.operations.map((operation) =>
          operation === operations[3] ? { kind: 'refused', err: refusal } : { kind: 'applied' },
        ),
      );
      await clock.advance(1);
    }
    assert.deepEqual(
      calls.map((call) => call.operations.map((operation) => operations.indexOf(operation))),
      [[0, 1], [2, 4], [3, 5], [6]],
    );
    const kinds = (await applying).map(({ kind }) => kind);
    assert.deepEqual(
      kinds,
      Array.from(operations, (_, i) => (i === 3 ? 'refused' : 'applied')),
    );
  });

  it('obeys the rate, and lists routes while changes wait', async () => {
    const { clock, tables, calls } = someRouteTables({
      batchSize: 1,
      callsPerSecond: 2,
      burst: 1,
      concurrency: 10,
    });
    const applying = tables.apply(creates(3), mayWrite);
    void tables.list(signal);
    const answering = (async () => {
      for (let step = 0; step < 20; step++) {
        await clock.advance(100);
        for (const call of calls) call.applyAll();
      }
    })();
    await Promise.all([applying, answering]);
    const times = (kind: string): number[] =>
      calls.filter((call) => call.kind === kind).map(({ atMs }) => atMs);
    assert.deepEqual(times('apply'), [0, 500, 1_000]);
    assert.deepEqual(times('list'), [0]);
  });

  it('keeps the message, code and reason of a refusal', async () => {
    const { clock, tables, calls, metric } = someRouteTables();
    const own = new CcmError('Own', { code: 'Own', retry: 'never', effect: 'none' });
    const applying = tables.apply(creates(4), mayWrite);
    await clock.advance(0);
    calls[0]?.answer([
      {
        kind: 'refused',
        err: Object.assign(new Error('The quota is 50'), { code: 'RouteLimitExceeded' }),
        reason: 'tableFull',
      },
      { kind: 'refused', err: own, reason: 'exists' },
      { kind: 'refused', err: new Error('Never') },
      { kind: 'refused', err: Object.assign(new Error('x'), { code: '<html>' }) },
    ]);
    const results = await applying;
    assert.deepEqual(
      results.map((result) => (result.kind === 'refused' ? [result.err.code, result.reason] : [])),
      [
        ['RouteLimitExceeded', 'tableFull'],
        ['Own', 'exists'],
        ['RouteRefused', undefined],
        ['RouteRefused', undefined],
      ],
    );
    const [full, kept] = results;
    assert(full?.kind === 'refused' && kept?.kind === 'refused');
    assert.match(full.err.message, /^test refused to change a route: The quota is 50$/);
    assert.equal(kept.err, own);
    const line =
      'tandem_cloud_route_operations_total{provider="test",operation="create",result="refused"}';
    assert.equal(await metric(line), '4');
  });

  const applied = { kind: 'applied' };
  const maybe = new CcmError('?', { code: 'Maybe', retry: 'backoff', effect: 'unknown' });
  const spoilt: readonly { name: string; answer: unknown; want: readonly string[] }[] = [
    { name: 'not a list', answer: { 0: applied, 1: applied }, want: ['bad', 'bad'] },
    { name: 'too few outcomes', answer: [applied], want: ['bad', 'bad'] },
    { name: 'too many outcomes', answer: [applied, applied, applied], want: ['bad', 'bad'] },
    {
      name: 'an empty slot',
      answer: Array.from({ length: 2, 0: applied }),
      want: ['applied', 'bad'],
    },
    { name: 'an unknown kind', answer: [applied, { kind: 'done' }], want: ['applied', 'bad'] },
    {
      name: 'a refusal without error',
      answer: [{ kind: 'refused' }, applied],
      want: ['bad', 'applied'],
    },
    {
      name: 'an unknown reason',
      answer: [{ kind: 'refused', err: new Error('no'), reason: 'full' }, applied],
      want: ['bad', 'applied'],
    },
    {
      name: 'a refusal that may have changed something',
      answer: [{ kind: 'refused', err: maybe }, applied],
      want: ['bad', 'applied'],
    },
    {
      name: 'a getter that throws',
      answer: [
        {
          get kind(): string {
            throw new Error('trap');
          },
        },
        applied,
      ],
      want: ['bad', 'applied'],
    },
  ];
  for (const { name, answer, want } of spoilt) {
    it(`treats malformed outcomes as unknown: ${name}`, async () => {
      const { clock, tables, calls, metric } = someRouteTables();
      const applying = tables.apply(creates(2), mayWrite);
      await clock.advance(1);
      calls[0]?.answer(answer);
      const texts = (await applying).map(textOf);
      const bad = 'unknown RouteOutcomeMalformed unknown';
      assert.deepEqual(
        texts,
        want.map((text) => (text === 'bad' ? bad : text)),
      );
      const line =
        'tandem_cloud_route_calls_total{provider="test",operation="apply",outcome="malformed"}';
      assert.equal(await metric(line), '1');
    });
  }

  it('reports unknown for a batch whose call fails, and sends the other batches', async () => {
    const { clock, tables, calls } = someRouteTables({ batchSize: 2, deadlineMs: 1_000 });
    const applying = tables.apply(creates(5), mayWrite);
    await clock.advance(1);
    calls[0]?.fail('no error at all');
    await clock.advance(1_001);
    calls[2]?.applyAll();
    assert.deepEqual((await applying).map(textOf), [
      'unknown RouteCallFailed unknown',
      'unknown RouteCallFailed unknown',
      'unknown RouteCallTimedOut unknown',
      'unknown RouteCallTimedOut unknown',
      'applied',
    ]);
  });

  it('sends no further batch when the cloud asks to wait, and returns the delay', async () => {
    const { clock, tables, calls } = someRouteTables({ batchSize: 2 });
    const applying = tables.apply(creates(6), mayWrite);
    await clock.advance(1);
    calls[0]?.applyAll();
    await clock.advance(1);
    calls[1]?.answer([applied, { kind: 'unknown', err: new Error('429'), retryAfterMs: 3_000 }]);
    const results = await applying;
    assert.deepEqual(results.map(textOf), [
      'applied',
      'applied',
      'applied',
      'unknown RouteCallsThrottled unknown',
      'notSent RouteCallsThrottled none',
      'notSent RouteCallsThrottled none',
    ]);
    assert.deepEqual(waitOf(results[4]), { afterMs: 3_000 });
    assert.equal(calls.length, 2);
    await clock.advance(3_000);
    void tables.apply(creates(1), mayWrite);
    await clock.advance(1);
    assert.equal(calls.length, 3);
  });

  it('sends nothing when this process must not write', async () => {
    const { tables, calls, metric } = someRouteTables();
    const cause = new Error('no longer leads');
    const beforeWrite = (): void => {
      throw cause;
    };
    const [result] = await tables.apply(creates(1), { signal, beforeWrite });
    assert.equal(result && textOf(result), 'notSent RouteWriteForbidden none');
    assert(result !== undefined && 'err' in result && result.err.cause === cause);
    assert.equal(calls.length, 0);
    const line =
      'tandem_cloud_route_operations_total{provider="test",operation="create",result="not_sent"}';
    assert.equal(await metric(line), '1');
  });

  it('sends nothing more once a write was forbidden, even if it would be allowed again', async () => {
    const { clock, tables, calls } = someRouteTables({ batchSize: 1, concurrency: 2 });
    let isLeading = true;
    const beforeWrite = (): void => {
      if (!isLeading) throw new Error('no longer leads');
    };
    const applying = tables.apply(creates(4), { signal, beforeWrite });
    await clock.advance(1);
    isLeading = false;
    assert.throws(() => calls[0]?.beforeWrite(), /no longer leads/);
    isLeading = true;
    assert.throws(() => calls[1]?.beforeWrite(), /no longer leads/);
    calls[0]?.fail(new Error('gate'));
    calls[1]?.applyAll();
    assert.deepEqual((await applying).map(textOf), [
      'unknown RouteCallFailed unknown',
      'applied',
      'notSent RouteWriteForbidden none',
      'notSent RouteWriteForbidden none',
    ]);
    assert.equal(calls.length, 2);
  });

  it('prevents writes of a call that timed out or has answered', async () => {
    const { clock, tables, calls } = someRouteTables({ batchSize: 1, deadlineMs: 1_000 });
    const applying = tables.apply(creates(2), mayWrite);
    await clock.advance(1);
    calls[0]?.beforeWrite();
    await clock.advance(1_000);
    assert.throws(() => calls[0]?.beforeWrite(), { code: 'DeadlineExceeded' });
    calls[1]?.applyAll();
    await applying;
    assert.throws(() => calls[1]?.beforeWrite(), /The call has ended/);
  });

  it('distinguishes sent from unsent operations when its caller aborts', async () => {
    const { clock, tables, calls } = someRouteTables({ batchSize: 1 });
    const caller = new AbortController();
    const applying = tables.apply(creates(3), { ...mayWrite, signal: caller.signal });
    await clock.advance(1);
    calls[0]?.applyAll();
    await clock.advance(1);
    caller.abort(new Error('over'));
    assert.deepEqual((await applying).map(textOf), [
      'applied',
      'unknown RouteCallAborted unknown',
      'notSent RouteCallAborted none',
    ]);
  });

  it('refuses invalid limits', () => {
    for (const limit of ['batchSize', 'gatherMsMax']) {
      assert.throws(
        () => someRouteTables({ [limit]: 0 }),
        new RegExp(`limits\\.${limit} of the routes of test`),
      );
    }
  });

  it('passes the provider a frozen list of operations, and leaves no timer behind', async () => {
    const { clock, tables, calls } = someRouteTables();
    const applying = tables.apply(creates(2), mayWrite);
    await clock.advance(1);
    assert.throws(() => Array.prototype.reverse.call(calls[0]?.operations), TypeError);
    calls[0]?.applyAll();
    await applying;
    assert.equal(clock.pending, 0);
    assert.deepEqual(await tables.apply([], mayWrite), []);
  });
});
