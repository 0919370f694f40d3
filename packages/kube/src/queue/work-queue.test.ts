import assert from 'node:assert/strict';
import { CcmError, type Retry, sleep } from '@tandem/runtime';
import { slowRetryMs } from './retry-delay.ts';
import { aQueue, HeldRuns } from './queue.fixture.ts';
import { runsPerTurnMax } from './work-queue.ts';

const noJitter = { baseMs: 100, capMs: 1_000, jitter: 0 };

const failure = (retry: Retry): CcmError =>
  new CcmError('no', { code: 'No', retry, effect: 'none' });

describe('work queue', () => {
  it('runs a key only once if it was added many times while it waited', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle);
    for (let times = 0; times < 5; times++) queue.add('node-0');
    queue.start();
    await clock.advance(0);
    assert.deepEqual([runs.started, queue.depth], [['node-0'], 0]);
    runs.end('node-0');
    await clock.advance(10_000);
    assert.deepEqual([runs.started, queue.size], [['node-0'], 0]);
  });

  it('never runs a key before the caller of add has finished, nor before start', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle);
    queue.add('node-0');
    await clock.advance(1_000);
    assert.deepEqual(runs.started, []);
    queue.start();
    assert.deepEqual(runs.started, []);
    await clock.advance(0);
    assert.deepEqual(runs.started, ['node-0']);
  });

  it('runs a key again, once and only afterwards, if it was added while it ran', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle, { workers: 4 });
    queue.start();
    queue.add('node-0');
    await clock.advance(0);
    queue.add('node-0');
    queue.add('node-0');
    await clock.advance(0);
    assert.deepEqual([runs.started.length, queue.depth], [1, 1]);
    runs.end('node-0');
    await clock.advance(0);
    assert.deepEqual([runs.started.length, queue.depth], [2, 0]);
    runs.end('node-0');
    await clock.advance(10_000);
    assert.equal(runs.started.length, 2);
  });

  it('runs as many keys at once as it has workers', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle, { workers: 2 });
    queue.start();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await clock.advance(0);
    assert.deepEqual(runs.running, ['a', 'b']);
    runs.end('a');
    await clock.advance(0);
    assert.deepEqual(runs.running, ['b', 'c']);
  });

  it('lets timers fire between runs, even if many keys are ready and their runs never wait', async () => {
    let runs = 0;
    const { clock, queue } = aQueue(async () => void runs++, { workers: 4 });
    for (let index = 0; index < 20 * runsPerTurnMax; index++) queue.add(`node-${index}`);
    queue.start();
    const runsBeforeTimer = new Promise<number>((resolve) => clock.after(0, () => resolve(runs)));
    await clock.advance(0);
    assert.deepEqual([await runsBeforeTimer, runs], [runsPerTurnMax, 20 * runsPerTurnMax]);
  });

  it('leaves no timer behind when it is stopped between two turns', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle, { workers: 2 * runsPerTurnMax });
    for (let index = 0; index < 2 * runsPerTurnMax; index++) queue.add(`node-${index}`);
    queue.start();
    // The queue starts its first turn, and no timer has fired yet.
    await Promise.resolve();
    assert.equal(runs.started.length, runsPerTurnMax);
    const stopping = queue.stop();
    for (const key of runs.running) runs.end(key);
    await stopping;
    assert.deepEqual([clock.pending, runs.started.length], [0, runsPerTurnMax]);
  });

  it('runs urgent keys first, and moves up a key that becomes urgent', async () => {
    const order: string[] = [];
    const { clock, queue } = aQueue(async (key) => void order.push(key));
    for (const key of ['old-1', 'old-2', 'old-3']) queue.add(key);
    queue.add('new-1', { priority: 'urgent' });
    queue.add('old-3', { priority: 'urgent' });
    queue.add('new-1');
    queue.start();
    await clock.advance(0);
    assert.deepEqual(order, ['new-1', 'old-3', 'old-1', 'old-2']);
  });

  it('gives a routine key every tenth turn while urgent keys keep coming', async () => {
    const order: string[] = [];
    const { clock, queue } = aQueue(async (key) => void order.push(key));
    for (let index = 0; index < 30; index++) queue.add(`new-${index}`, { priority: 'urgent' });
    queue.add('old-1');
    queue.add('old-2');
    queue.start();
    await clock.advance(0);
    assert.deepEqual([order.indexOf('old-1'), order.indexOf('old-2')], [9, 19]);
    assert.equal(order.length, 32);
  });

  it('runs a delayed key at its earliest time and with its highest priority', async () => {
    const ran: string[] = [];
    const { clock, queue } = aQueue(
      async (key, { priority }) => void ran.push(`${key} ${priority} ${clock.monotonic()}`),
    );
    queue.start();
    queue.add('node-0', { afterMs: 300 });
    queue.add('node-0', { afterMs: 100 });
    queue.add('node-0', { afterMs: 200, priority: 'urgent' });
    queue.add('node-1', { afterMs: 100 });
    await clock.runAll();
    assert.deepEqual(ran, ['node-0 urgent 100', 'node-1 routine 100']);
  });

  it('runs a delayed key at once when it is added without delay, and not a second time', async () => {
    const runs: number[] = [];
    const { clock, queue } = aQueue(async () => void runs.push(clock.monotonic()));
    queue.start();
    queue.add('node-0', { afterMs: 5_000 });
    await clock.advance(1_000);
    queue.add('node-0');
    queue.add('node-0', { afterMs: 10 });
    await clock.runAll();
    assert.deepEqual(runs, [1_000]);
  });

  it('doubles the delay of a failing key up to the cap, and resets it on success', async () => {
    let runs: number[] = [];
    const { clock, queue } = aQueue(
      async (_key, { failures }) => {
        runs.push(clock.monotonic());
        if (failures < 6) throw new Error('no');
      },
      { backoff: noJitter },
    );
    queue.start();
    for (let round = 0; round < 2; round++) {
      runs = [];
      queue.add('node-0');
      await clock.runAll();
      const [firstMs = 0] = runs;
      const sinceFirstMs = runs.map((ms) => ms - firstMs);
      assert.deepEqual(sinceFirstMs, [0, 100, 300, 700, 1_500, 2_500, 3_500]);
      assert.equal(queue.size, 0);
    }
  });

  it('spreads the retries of keys that failed together, never beyond the cap', async () => {
    const retries = new Map<string, number>();
    const { clock, queue } = aQueue(
      async (key, { failures }) => {
        if (failures === 0) throw new Error('no');
        retries.set(key, clock.monotonic());
      },
      { workers: 50, backoff: { baseMs: 1_000, capMs: 1_000, jitter: 0.5 } },
    );
    queue.start();
    for (let index = 0; index < 50; index++) queue.add(`node-${index}`);
    await clock.runAll();
    const times = [...retries.values()];
    assert.equal(new Set(times).size, 50);
    assert.ok(times.every((ms) => ms > 500 && ms <= 1_000));
  });

  it('runs a failing key at once when it is added again, and keeps its count of failures', async () => {
    const seen: [number, number][] = [];
    const { clock, queue } = aQueue(
      async (_key, { failures }) => {
        seen.push([clock.monotonic(), failures]);
        throw new Error('no');
      },
      { backoff: noJitter },
    );
    queue.start();
    queue.add('node-0');
    await clock.advance(50);
    queue.add('node-0');
    await clock.advance(200);
    assert.deepEqual(seen, [
      [0, 0],
      [50, 1],
      [250, 2],
    ]);
    await queue.stop();
  });

  it('waits at least as long as an error asks for', async () => {
    const runs: number[] = [];
    const { clock, queue, log } = aQueue(async () => {
      runs.push(clock.monotonic());
      if (runs.length === 1) throw failure({ afterMs: 7_000 });
    });
    queue.start();
    queue.add('node-0');
    await clock.runAll();
    const [first, second = 0, ...more] = runs;
    assert.deepEqual([first, more], [0, []]);
    assert.ok(second >= 7_000 && second < 7_700, `${second}`);
    assert.deepEqual(
      log.map(({ level, msg, key }) => [level, msg, key]),
      [['warn', 'Work failed, retrying', 'node-0']],
    );
    assert.equal(queue.size, 0);
  });

  it('never gives a key up: it retries a final failure slowly, and logs it once', async () => {
    const final = failure('never');
    const other = new CcmError('no longer', { code: 'Other', retry: 'never', effect: 'none' });
    const outcomes = [final, final, final, other, final, undefined, final];
    const runs: number[] = [];
    const { clock, queue, log } = aQueue(async () => {
      runs.push(clock.monotonic());
      const err = outcomes[runs.length - 1];
      if (err !== undefined) throw err;
    });
    queue.start();
    queue.add('node-0');
    await clock.advance(10 * 60_000);
    assert.equal(runs.length, 6, 'until the first success');
    for (const [index, atMs] of runs.slice(1).entries()) {
      const waitedMs = atMs - (runs[index] ?? 0);
      assert.ok(waitedMs >= slowRetryMs && waitedMs <= slowRetryMs * 1.1, `${waitedMs}`);
    }
    queue.add('node-0');
    await clock.advance(0);
    const errors = log.filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ msg, key, err }) => [msg, key, Reflect.get(Object(err), 'code')]),
      ['No', 'Other', 'No', 'No'].map((code) => ['Work failed, retrying slowly', 'node-0', code]),
    );
    await queue.stop();
  });

  it('runs a key at once if it is added after a final failure', async () => {
    const runs: number[] = [];
    const { clock, queue } = aQueue(async () => {
      runs.push(clock.monotonic());
      throw failure('never');
    });
    queue.start();
    queue.add('node-0');
    await clock.advance(100);
    queue.add('node-0');
    await clock.advance(0);
    assert.deepEqual(runs, [0, 100]);
    await queue.stop();
  });

  const oddities: { name: string; thrown: unknown }[] = [
    { name: 'nothing', thrown: undefined },
    { name: 'null', thrown: null },
    { name: 'a string', thrown: 'no' },
    { name: 'an error that asks for a delay of 0', thrown: failure({ afterMs: 0 }) },
    { name: 'an error that asks for a delay of NaN', thrown: failure({ afterMs: Number.NaN }) },
    { name: 'an error that asks for a negative delay', thrown: failure({ afterMs: -1 }) },
    { name: 'an error without a retry', thrown: failure(undefined as unknown as Retry) },
  ];
  for (const { name, thrown } of oddities) {
    for (const how of ['throws', 'rejects with'] as const) {
      it(`backs off from a handler that ${how} ${name}`, async () => {
        const runs: number[] = [];
        const { clock, queue } = aQueue(
          () => {
            runs.push(clock.monotonic());
            if (runs.length < 4 && how === 'throws') throw thrown;
            return runs.length < 4 ? Promise.reject(thrown) : Promise.resolve();
          },
          { backoff: noJitter },
        );
        queue.start();
        queue.add('node-0');
        await clock.advance(60_000);
        assert.deepEqual(runs, [0, 100, 300, 700]);
        assert.equal(queue.size, 0);
      });
    }
  }

  it('runs a key again even if its handler asks for an invalid delay', async () => {
    for (const afterMs of [Number.NaN, Number.POSITIVE_INFINITY, -5]) {
      let runs = 0;
      const { clock, queue } = aQueue(async () => (++runs < 3 ? { afterMs } : undefined));
      queue.start();
      queue.add('node-0');
      await clock.advance(3 * 60 * 60_000);
      assert.deepEqual([runs, queue.size], [3, 0], `${afterMs}`);
    }
  });

  it('survives handlers that throw before they return a promise', async () => {
    let runs = 0;
    const { clock, queue } = aQueue(() => {
      if (++runs < 3) throw new Error('no');
      return Promise.resolve();
    });
    queue.start();
    queue.add('node-0');
    await clock.runAll();
    assert.equal(runs, 3);
  });

  it('runs a key again later if its handler asks for it, with the priority that the handler names', async () => {
    const seen: [number, string][] = [];
    const { clock, queue } = aQueue(async (_key, { priority }) => {
      seen.push([clock.monotonic(), priority]);
      return seen.length < 3 ? { afterMs: 60_000, priority: 'routine' } : undefined;
    });
    queue.start();
    queue.add('node-0', { priority: 'urgent' });
    await clock.runAll();
    assert.deepEqual(seen, [
      [0, 'urgent'],
      [60_000, 'routine'],
      [120_000, 'routine'],
    ]);
  });

  it('keeps a failed urgent key urgent, even if it was added as routine in the meantime', async () => {
    const runs = new HeldRuns();
    const priorities: string[] = [];
    const { clock, queue } = aQueue((key, work) => {
      priorities.push(work.priority);
      return runs.handle(key, work);
    });
    queue.start();
    queue.add('node-0', { priority: 'urgent' });
    await clock.advance(0);
    queue.add('node-0');
    runs.end('node-0', new Error('no'));
    await clock.advance(0);
    assert.deepEqual(priorities, ['urgent', 'urgent']);
  });

  it('drops the runs of a forgotten key that have not started', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle);
    for (const key of ['running', 'ready']) queue.add(key);
    queue.add('delayed', { afterMs: 100 });
    queue.start();
    await clock.advance(0);
    queue.add('running');
    for (const key of ['running', 'ready', 'delayed', 'unknown']) queue.forget(key);
    assert.deepEqual([queue.depth, queue.delayed, queue.size], [0, 0, 1]);
    runs.end('running');
    await clock.runAll();
    assert.deepEqual([runs.started, queue.size], [['running'], 0]);
  });

  it('ignores the outcome of a run whose key was forgotten in the meantime', async () => {
    const ends = [{ afterMs: 60_000 }, new Error('no')];
    for (const end of ends) {
      const { clock, queue, log } = aQueue(async () => {
        await sleep(clock, 100);
        if (end instanceof Error) throw end;
        return end;
      });
      queue.start();
      queue.add('node-0');
      await clock.advance(50);
      queue.forget('node-0');
      await clock.advance(100);
      assert.deepEqual([queue.size, queue.delayed], [0, 0]);
      assert.deepEqual(
        log.filter(({ level }) => level !== 'debug'),
        [],
      );
    }
  });

  it('runs a key that was added after it was forgotten, without its earlier failures', async () => {
    for (const afterMs of [0, 20]) {
      const runs = new HeldRuns();
      const failures: number[] = [];
      const { clock, queue } = aQueue((key, work) => {
        failures.push(work.failures);
        return runs.handle(key, work);
      });
      queue.start();
      queue.add('node-0');
      await clock.advance(0);
      queue.forget('node-0');
      queue.add('node-0', { afterMs });
      await clock.advance(50);
      runs.end('node-0', new Error('no'));
      await clock.advance(0);
      assert.deepEqual(failures, [0, 0]);
      runs.end('node-0');
      await clock.runAll();
      assert.deepEqual([failures.length, queue.size, queue.depth], [2, 0, 0]);
    }
  });
});

describe('the end of a work queue', () => {
  it('by stop starts nothing, waits for running work and leaves no timer', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle);
    queue.start();
    for (const key of ['running', 'ready']) queue.add(key);
    queue.add('delayed', { afterMs: 1_000 });
    await clock.advance(0);
    queue.add('running');
    let hasStopped = false;
    const stopping = queue.stop().then(() => (hasStopped = true));
    queue.add('late');
    await clock.advance(5_000);
    assert.equal(hasStopped, false);
    runs.end('running');
    await stopping;
    await clock.advance(5_000);
    assert.deepEqual(
      [runs.started, clock.pending, queue.size, queue.depth],
      [['running'], 0, 0, 0],
    );
  });

  it('by stop aborts running work, and logs its failure only at debug', async () => {
    const { clock, queue, log } = aQueue((_key, { signal }) => sleep(clock, 60_000, signal));
    queue.start();
    queue.add('node-0');
    await clock.advance(0);
    await queue.stop();
    assert.deepEqual([clock.pending, queue.size], [0, 0]);
    assert.deepEqual(
      log.map(({ level, msg }) => [level, msg]),
      [['debug', 'Work was interrupted']],
    );
  });

  it('by drain comes when the last ready key is forgotten', async () => {
    const runs = new HeldRuns();
    const { clock, queue } = aQueue(runs.handle);
    queue.start();
    queue.add('a');
    const draining = queue.drain();
    queue.forget('a');
    await draining;
    assert.deepEqual([runs.started, clock.pending], [[], 0]);
  });

  it('by drain runs the ready keys, retries nothing and leaves no timer', async () => {
    const ran: string[] = [];
    const { clock, queue } = aQueue(async (key) => {
      ran.push(key);
      await sleep(clock, 10);
      throw new Error('no');
    });
    queue.start();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    queue.add('delayed', { afterMs: 5 });
    await clock.advance(0);
    queue.add('a');
    const draining = queue.drain();
    queue.add('late');
    await clock.advance(100);
    await draining;
    assert.deepEqual([ran, clock.pending, queue.size], [['a', 'b', 'c', 'a'], 0, 0]);
  });

  it('is immediate, and can be requested repeatedly, if nothing runs', async () => {
    const { clock, queue } = aQueue(async () => {});
    queue.add('never started');
    await queue.drain();
    await queue.stop();
    await queue.drain();
    queue.start();
    queue.add('late');
    await clock.advance(1_000);
    assert.deepEqual([queue.size, clock.pending], [0, 0]);
  });
});

it('a work queue rejects an invalid number of workers', () => {
  for (const workers of [0, -1, 1.5, Number.NaN]) {
    assert.throws(() => aQueue(async () => {}, { workers }), RangeError);
  }
});
