import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { ReviewFailedError } from './reviewer.ts';
import { refusedByServer, scriptedReviews, unreachable } from './scripted-reviews.fixture.ts';

const secret = 'a-token-that-nobody-may-see';

describe('a reviewer', () => {
  it('retries after a connection error, and returns the status', async () => {
    const clock = virtualClock();
    let tries = 0;
    const server = scriptedReviews(clock, () => (++tries < 3 ? unreachable() : { allowed: true }));
    const review = server.reviewer.review({ path: '/' });
    await clock.runAll();
    assert.deepEqual(await review, { allowed: true });
    assert.equal(tries, 3);
    assert.deepEqual(server.log, [], 'a retry that succeeds is not logged');
    const rendered = await server.render();
    assert.match(rendered, /apiserver_delegated_authn_request_total\{code="<error>"\} 2/);
    assert.match(rendered, /apiserver_delegated_authn_request_total\{code="201"\} 1/);
  });

  it('gives up on a server that hangs, and leaves no timer', async () => {
    const clock = virtualClock();
    const server = scriptedReviews(clock, () => undefined);
    const failed = assert.rejects(server.reviewer.review({}), ReviewFailedError);
    assert.equal(await clock.runAll(), 10_000);
    await failed;
    assert.equal(clock.pending, 0);
  });

  it('does not retry a review that the server forbids, and logs the role to bind', async () => {
    const server = scriptedReviews(virtualClock(), () => refusedByServer(403));
    await assert.rejects(server.reviewer.review({}), ReviewFailedError);
    assert.equal(server.specs.length, 1);
    assert.match(server.log.join(''), /system:auth-delegator/);
  });

  it('logs once that reviews fail, and once that they work again', async () => {
    const clock = virtualClock();
    const server = scriptedReviews(clock, () => refusedByServer(404));
    const fail = (): Promise<void> => assert.rejects(server.reviewer.review({}));
    for (let i = 0; i < 3; i++) await fail();
    server.script = () => ({});
    await server.reviewer.review({});
    server.script = () => refusedByServer(404);
    await fail();
    server.script = () => ({});
    await clock.advance(4_999);
    await server.reviewer.review({});
    assert.equal(server.log.length, 1, 'short recoveries are not logged');
    await clock.advance(1);
    for (let i = 0; i < 3; i++) await server.reviewer.review({});
    const entries = server.log.map((line) => [JSON.parse(line).level, JSON.parse(line).msg]);
    assert.deepEqual(entries, [
      ['warn', 'Cannot authenticate callers of the secure port: the API server returns no reviews'],
      ['info', 'Callers of the secure port can be authenticated again'],
    ]);
  });

  it('never repeats the token in its errors or in the log', async () => {
    const clock = virtualClock();
    const echoes = [
      unreachable(`could not send ${secret}`),
      refusedByServer(422, `invalid: ${secret}`),
      `<html>${secret}`,
      `{"status": ${secret}`,
      `{"kind":"${secret}"}`,
    ];
    for (const echo of echoes) {
      const server = scriptedReviews(clock, () => echo);
      const failed = server.reviewer.review({ token: secret }).then(
        () => assert.fail('the review succeeded'),
        (err: unknown) => err,
      );
      await clock.runAll();
      const err = await failed;
      assert.ok(err instanceof ReviewFailedError);
      assert.ok(!`${err.stack} ${JSON.stringify(err)}`.includes(secret));
      assert.equal(err.cause, undefined);
      assert.ok(!server.log.join('').includes(secret));
    }
  });

  it('limits the number of concurrent reviews', async () => {
    const clock = virtualClock();
    const server = scriptedReviews(clock, () => undefined);
    const reviews = Array.from({ length: 400 }, () =>
      server.reviewer.review({}).catch(() => 'failed'),
    );
    await clock.advance(0);
    assert.equal(server.specs.length, 16);
    await clock.runAll();
    assert.deepEqual(new Set(await Promise.all(reviews)), new Set(['failed']));
  });
});
