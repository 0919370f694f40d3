import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { boundedSource, joinableMsMax, waitMsMax } from './bounded-source.ts';

/** A source whose attempts the test ends, and the outcomes of the calls that wait for it. */
function setUp() {
  const clock = virtualClock();
  const attempts: PromiseWithResolvers<string>[] = [];
  let sources = 0;
  const source = boundedSource(() => {
    sources += 1;
    return () => {
      const attempt = Promise.withResolvers<string>();
      attempts.push(attempt);
      return attempt.promise;
    };
  }, clock);
  const outcomes: string[] = [];
  const call = (): void =>
    void source({}).then(
      (credentials) => outcomes.push(credentials),
      (err: unknown) => outcomes.push(err instanceof Error ? err.message : ''),
    );
  return { clock, attempts, outcomes, call, sources: () => sources };
}

const tooSlow = `no credentials: no answer within ${waitMsMax} ms`;

describe('a source of credentials', () => {
  it('that takes longer than a call waits serves the call after', async () => {
    const { clock, attempts, outcomes, call } = setUp();
    call();
    await clock.advance(waitMsMax);
    call();
    await clock.advance(1_000);
    attempts[0]?.resolve('keys');
    await clock.advance(0);
    assert.deepEqual(outcomes, [tooSlow, 'keys']);
    assert.equal(attempts.length, 1);
  });

  it('that succeeds while no call waits serves the next call, however late that comes', async () => {
    const { clock, attempts, outcomes, call } = setUp();
    call();
    await clock.advance(waitMsMax + 1_000);
    attempts[0]?.resolve('keys');
    await clock.advance(10 * joinableMsMax);
    call();
    await clock.advance(0);
    assert.deepEqual(outcomes, [tooSlow, 'keys']);
    call();
    await clock.advance(0);
    assert.equal(attempts.length, 2, 'the call after asks again');
  });

  it('that hangs is replaced', async () => {
    const { clock, attempts, outcomes, call, sources } = setUp();
    for (let calls = 0; calls < 2; calls += 1) {
      call();
      await clock.advance(waitMsMax);
    }
    assert.equal(sources(), 1);
    call();
    attempts[1]?.resolve('keys');
    await clock.advance(0);
    assert.deepEqual(outcomes, [tooSlow, tooSlow, 'keys']);
    assert.equal(sources(), 2);
  });

  it('that fails is replaced, even if it fails while no call waits', async () => {
    const { clock, attempts, outcomes, call, sources } = setUp();
    call();
    attempts[0]?.reject(new Error('denied'));
    await clock.advance(0);
    call();
    await clock.advance(waitMsMax + 1_000);
    attempts[1]?.reject(new Error('denied later'));
    await clock.advance(0);
    call();
    attempts[2]?.resolve('keys');
    await clock.advance(0);
    assert.deepEqual(outcomes, ['no credentials: denied', tooSlow, 'keys']);
    assert.equal(sources(), 3);
  });

  it('that throws before it returns a promise is one that fails', async () => {
    const source = boundedSource(
      () => () => {
        throw new Error('denied');
      },
      virtualClock(),
    );
    await assert.rejects(source({}), { message: 'no credentials: denied' });
  });

  it('whose answer is no JSON fails without a word of the answer', async () => {
    const answer = async (): Promise<unknown> => JSON.parse('{"SecretAccessKey": topsecret}');
    const source = boundedSource(() => answer, virtualClock());
    await assert.rejects(source({}), {
      message: 'no credentials: their source gave no valid JSON',
      ec2Code: 'SyntaxError',
    });
  });

  it('is not replaced when an attempt that was given up ends', async () => {
    const { clock, attempts, call, sources } = setUp();
    call();
    await clock.advance(joinableMsMax + 1);
    call();
    attempts[0]?.reject(new Error('denied'));
    await clock.advance(0);
    assert.deepEqual([attempts.length, sources()], [2, 2]);
  });

  it('serves calls that come together with one attempt', async () => {
    const { clock, attempts, outcomes, call } = setUp();
    for (let calls = 0; calls < 3; calls += 1) call();
    attempts[0]?.resolve('keys');
    await clock.advance(0);
    assert.deepEqual(outcomes, ['keys', 'keys', 'keys']);
    assert.equal(attempts.length, 1);
  });
});
