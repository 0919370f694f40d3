import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { ReviewFailedError } from './reviewer.ts';
import { refusedByServer, scriptedReviews, unreachable } from './scripted-reviews.fixture.ts';

const secret = 'a-token-that-nobody-may-see';

describe('a reviewer', () => {
  it('asks again when a connection failed, and gives the status', async () => {
    const clock = virtualClock();
    let tries = 0;
    const scene = scriptedReviews(clock, () => (++tries < 3 ? unreachable() : { allowed: true }));
    const review = scene.reviewer.review({ path: '/' });
    await clock.runAll();
    assert.deepEqual(await review, { allowed: true });
    assert.equal(tries, 3);
    assert.deepEqual(scene.log, [], 'what recovers at once is no news');
    const rendered = await scene.render();
    assert.match(rendered, /apiserver_delegated_authn_request_total\{code="<error>"\} 2/);
    assert.match(rendered, /apiserver_delegated_authn_request_total\{code="201"\} 1/);
  });

  it('gives up on a server that hangs, and leaves nothing behind', async () => {
    const clock = virtualClock();
    const scene = scriptedReviews(clock, () => undefined);
    const failed = assert.rejects(scene.reviewer.review({}), ReviewFailedError);
    assert.equal(await clock.runAll(), 10_000);
    await failed;
    assert.equal(clock.pending, 0);
  });

  it('does not repeat what the server refuses, and says what to bind', async () => {
    const scene = scriptedReviews(virtualClock(), () => refusedByServer(403));
    await assert.rejects(scene.reviewer.review({}), ReviewFailedError);
    assert.equal(scene.specs.length, 1);
    assert.match(scene.log.join(''), /system:auth-delegator/);
  });

  it('tells the log once that reviews fail, and once that they work again', async () => {
    const clock = virtualClock();
    const scene = scriptedReviews(clock, () => refusedByServer(404));
    const fail = (): Promise<void> => assert.rejects(scene.reviewer.review({}));
    for (let i = 0; i < 3; i++) await fail();
    scene.script = () => ({});
    await scene.reviewer.review({});
    scene.script = () => refusedByServer(404);
    await fail();
    scene.script = () => ({});
    await clock.advance(4_999);
    await scene.reviewer.review({});
    assert.equal(scene.log.length, 1, 'nothing is told of the ups and downs');
    await clock.advance(1);
    for (let i = 0; i < 3; i++) await scene.reviewer.review({});
    const told = scene.log.map((line) => [JSON.parse(line).level, JSON.parse(line).msg]);
    assert.deepEqual(told, [
      ['warn', 'Cannot authenticate callers of the secure port: the API server returns no reviews'],
      ['info', 'Callers of the secure port can be authenticated again'],
    ]);
  });

  it('never repeats what was asked, in its errors or in the log', async () => {
    const clock = virtualClock();
    const echoes = [
      unreachable(`could not send ${secret}`),
      refusedByServer(422, `invalid: ${secret}`),
      `<html>${secret}`,
      `{"status": ${secret}`,
      `{"kind":"${secret}"}`,
    ];
    for (const echo of echoes) {
      const scene = scriptedReviews(clock, () => echo);
      const failed = scene.reviewer.review({ token: secret }).then(
        () => assert.fail('a review was had'),
        (err: unknown) => err,
      );
      await clock.runAll();
      const err = await failed;
      assert.ok(err instanceof ReviewFailedError);
      assert.ok(!`${err.stack} ${JSON.stringify(err)}`.includes(secret));
      assert.equal(err.cause, undefined);
      assert.ok(!scene.log.join('').includes(secret));
    }
  });

  it('asks for a bounded number of reviews at once', async () => {
    const clock = virtualClock();
    const scene = scriptedReviews(clock, () => undefined);
    const reviews = Array.from({ length: 400 }, () =>
      scene.reviewer.review({}).catch(() => 'failed'),
    );
    await clock.advance(0);
    assert.equal(scene.specs.length, 16);
    await clock.runAll();
    assert.deepEqual(new Set(await Promise.all(reviews)), new Set(['failed']));
  });
});
