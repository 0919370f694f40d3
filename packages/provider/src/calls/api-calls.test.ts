import assert from 'node:assert/strict';
import { DeadlineExceededError, sleep } from '@tandem/runtime';
import { type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import * as fc from 'fast-check';
import { type ApiCall, ApiCalls, CallPausedError } from './api-calls.ts';
import { CallRate } from './call-rate.ts';

const { signal } = new AbortController();
const read: ApiCall = { bucket: 'ListMachines', isWrite: false, signal };
const otherRead: ApiCall = { bucket: 'ListTables', isWrite: false, signal };
const write: ApiCall = { bucket: 'PutRoute', isWrite: true, signal };

class TooOften extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(retryAfterMs?: number) {
    super('called too often');
    this.retryAfterMs = retryAfterMs;
  }
}

function apiCalls(clock: VirtualClock): ApiCalls {
  return new ApiCalls({
    clock,
    rateOf: (bucket) => ({ callsPerSecond: bucket === write.bucket ? 5 : 20, burst: 10 }),
    deadlineMs: 10_000,
    readThrottling: (err) => (err instanceof TooOften ? err : undefined),
  });
}

describe('ApiCalls', () => {
  let clock: VirtualClock;
  let calls: ApiCalls;

  beforeEach(() => {
    clock = virtualClock();
    calls = apiCalls(clock);
  });

  const throttle = async (call: ApiCall, retryAfterMs?: number): Promise<void> => {
    const refusing = async (): Promise<never> => Promise.reject(new TooOften(retryAfterMs));
    await assert.rejects(calls.run(call, refusing), TooOften);
  };
  const refusedForMs = async (call: ApiCall): Promise<number> => {
    try {
      await calls.run(call, async () => {});
      return 0;
    } catch (err) {
      assert(err instanceof CallPausedError);
      return err.retryAfterMs;
    }
  };
  /** Requests `count` calls now, and returns when each of them began. */
  const beginnings = async (call: ApiCall, count: number): Promise<number[]> => {
    const begunAtMs: number[] = [];
    const asked = Array.from({ length: count }, () =>
      calls.run(call, async () => void begunAtMs.push(clock.monotonic())),
    );
    await clock.advance(60_000);
    await Promise.all(asked);
    return begunAtMs;
  };

  it('allows a burst of calls, then limits them to the rate', async () => {
    const [first, ...later] = (await beginnings(write, 15)).slice(9);
    assert.deepEqual([first, ...later], [0, 200, 400, 600, 800, 1_000]);
  });

  it('limits each bucket separately', async () => {
    await beginnings(write, 10);
    const begunAtMs = clock.monotonic();
    assert.deepEqual(
      await beginnings(read, 3),
      [0, 0, 0].map(() => begunAtMs),
    );
  });

  it('ends a call without an answer at the deadline, and aborts its signal', async () => {
    let reason: unknown;
    const hanging = calls.run(read, async (limited) => {
      limited.addEventListener('abort', () => (reason = limited.reason));
      return new Promise<never>(() => {});
    });
    const ended = assert.rejects(hanging, DeadlineExceededError);
    await clock.advance(10_000);
    await ended;
    assert(reason instanceof DeadlineExceededError);
    assert.equal(clock.pending, 0);
  });

  it('sends no call for a caller that aborts while it waits for its turn', async () => {
    await beginnings(write, 10);
    for (let call = 0; call < 10; call++) await calls.run(write, async () => {});
    const controller = new AbortController();
    const given = calls.run({ ...write, signal: controller.signal }, () => assert.fail('sent'));
    const ended = assert.rejects(given, { message: 'gave up' });
    controller.abort(new Error('gave up'));
    await ended;
    assert.equal(clock.pending, 0);
  });

  it('slows only the bucket in which the cloud reports few remaining calls, for a minute', async () => {
    calls.slowDown(write.bucket);
    assert.deepEqual(await beginnings(write, 4), [0, 800, 1_600, 2_400]);
    assert.deepEqual(new Set(await beginnings(otherRead, 4)).size, 1);
    assert.deepEqual(new Set(await beginnings(write, 4)).size, 1, 'still slow after a minute');
  });

  describe('after the cloud throttled a call', () => {
    it('pauses five seconds after the first refusal, and a minute after each further one', async () => {
      await throttle(read);
      assert.equal(await refusedForMs(read), 5_000);
      for (const restMs of [5_000, 60_000, 60_000]) {
        await clock.advance(restMs - 1);
        assert.equal(await refusedForMs(read), 1);
        await clock.advance(1);
        await throttle(read);
        assert.equal(await refusedForMs(read), 60_000);
      }
    });

    it('pauses for as long as the cloud asks', async () => {
      await throttle(read, 17_000);
      assert.equal(await refusedForMs(read), 17_000);
      assert.deepEqual(
        [calls.restsForMs(read.bucket), calls.restsForMs(write.bucket)],
        [17_000, 0],
      );
    });

    it('treats a refusal as the first one again after ten minutes without any', async () => {
      await throttle(read);
      await clock.advance(600_000);
      await throttle(read);
      assert.equal(await refusedForMs(read), 5_000);
    });

    it('counts the refusals of concurrent calls as one', async () => {
      const refuse = async (): Promise<never> => {
        await sleep(clock, 100);
        throw new TooOften();
      };
      const refused = [1, 2, 3].map(() => assert.rejects(calls.run(read, refuse), TooOften));
      await clock.advance(100);
      await Promise.all(refused);
      assert.equal(await refusedForMs(read), 5_000);
    });

    it('slows all reads for a minute, but only the writes of the same bucket', async () => {
      await throttle(write);
      const sinceMs = clock.monotonic();
      const reads = (await beginnings(otherRead, 4)).map((atMs) => atMs - sinceMs);
      assert.deepEqual(reads, [0, 200, 400, 600]);
      assert.deepEqual(new Set(await beginnings(otherRead, 4)).size, 1);
      await throttle(read);
      assert.equal(await refusedForMs(write), 0);
      const another = { ...write, bucket: 'DropRoute' };
      assert.deepEqual(new Set(await beginnings(another, 8)).size, 1);
    });

    it('has only one call of the bucket in flight at a time', async () => {
      await throttle(read);
      await clock.advance(5_000);
      let underWay = 0;
      const asked = Array.from({ length: 5 }, () =>
        calls.run(read, async () => {
          assert.equal(++underWay, 1);
          await sleep(clock, 1_000);
          underWay--;
        }),
      );
      await clock.advance(60_000);
      await Promise.all(asked);
    });
  });

  it('completes all calls in a busy account, with at most one refusal a minute after the first', async () => {
    const account = fc.record({
      callsPerSecond: fc.double({ min: 0.05, max: 30, noNaN: true }),
      burst: fc.integer({ min: 1, max: 100 }),
      latencyMs: fc.integer({ min: 0, max: 500 }),
      wanted: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(fc.asyncProperty(account, convergesQuietly), { numRuns: 25 });
  });
});

/** Simulates an account with a smaller bucket than ours, and a client that retries as advised. */
async function convergesQuietly(account: {
  readonly callsPerSecond: number;
  readonly burst: number;
  readonly latencyMs: number;
  readonly wanted: number;
}): Promise<void> {
  const clock = virtualClock();
  const calls = apiCalls(clock);
  const left = new CallRate(clock, account);
  const refusedAtMs: number[] = [];
  const answer = async (): Promise<void> => {
    await sleep(clock, account.latencyMs);
    if (left.waitMs() === 0) return left.take();
    refusedAtMs.push(clock.monotonic());
    throw new TooOften();
  };
  const untilDone = async (): Promise<void> => {
    for (;;) {
      try {
        return await calls.run(read, answer);
      } catch (err) {
        await sleep(clock, err instanceof CallPausedError ? err.retryAfterMs : 1_000);
      }
    }
  };
  const all = Promise.all(Array.from({ length: account.wanted }, untilDone));
  await clock.runAll();
  await all;
  // Calls that are in flight at the first refusal are refused as well.
  const later = refusedAtMs.filter((atMs) => atMs > (refusedAtMs[0] ?? 0) + account.latencyMs);
  for (const [index, atMs] of later.entries()) {
    assert(atMs - (later[index - 1] ?? -Infinity) >= 60_000, `refused at ${later.join(', ')} ms`);
  }
}
