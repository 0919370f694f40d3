import assert from 'node:assert/strict';
import { type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import {
  scriptedReviews,
  type ScriptedReviews,
  unreachable,
} from '../review/scripted-reviews.fixture.ts';
import { TokenReviews, verdictIn } from './token-reviews.ts';

const jane = { username: 'jane', uid: '7', groups: ['a', 'b'], extra: { key: ['value'] } };

function reviewsOf(clock: VirtualClock, server: ScriptedReviews): TokenReviews {
  const { reviewer, metrics } = server;
  const onLookup = (status: 'hit' | 'miss'): void => metrics.tokenLookedUp(status);
  return new TokenReviews({ reviewer, clock, ttlMs: 10_000, onLookup });
}

describe('reviews of tokens', () => {
  it('identify a user only when the API server says authenticated and names the user', () => {
    assert.deepEqual(verdictIn({ authenticated: true, user: jane }), {
      kind: 'identified',
      identity: { name: 'jane', uid: '7', groups: ['a', 'b'], extra: { key: ['value'] } },
    });
    const noes = [
      {},
      { authenticated: false, user: jane },
      { authenticated: 'true', user: jane },
      { authenticated: true },
      { authenticated: true, user: {} },
      { authenticated: true, user: { username: '' } },
      { user: jane, error: 'expired' },
    ];
    for (const status of noes) assert.deepEqual(verdictIn(status), { kind: 'refused' });
  });

  it('are cached for ten seconds, for good and bad tokens', async () => {
    const clock = virtualClock();
    const server = scriptedReviews(clock, ({ token }) => ({
      authenticated: token === 'good',
      user: jane,
    }));
    const reviews = reviewsOf(clock, server);
    for (let i = 0; i < 5; i++) {
      assert.equal((await reviews.verdictOn('good', 1_000)).kind, 'identified');
      assert.equal((await reviews.verdictOn('bad', 1_000)).kind, 'refused');
    }
    assert.deepEqual(server.specs, [{ token: 'good' }, { token: 'bad' }]);
    await clock.advance(10_000);
    await reviews.verdictOn('good', 1_000);
    assert.equal(server.specs.length, 3);
    const rendered = await server.render();
    assert.match(rendered, /authentication_token_cache_request_total\{status="hit"\} 8/);
  });

  it('of many bad tokens do not evict that of a good one from the cache', async () => {
    const clock = virtualClock();
    const server = scriptedReviews(clock, ({ token }) => ({
      authenticated: token === 'good',
      user: jane,
    }));
    const reviews = reviewsOf(clock, server);
    await reviews.verdictOn('good', 1_000);
    for (let i = 0; i < 1_050; i++) await reviews.verdictOn(`bad ${i}`, 1_000);
    const before = server.specs.length;
    await reviews.verdictOn('good', 1_000);
    assert.equal(server.specs.length, before);
  });

  it('are shared by concurrent requests with the same token', async () => {
    const clock = virtualClock();
    const server = scriptedReviews(clock, () => ({ authenticated: true, user: jane }));
    const reviews = reviewsOf(clock, server);
    await Promise.all(Array.from({ length: 20 }, () => reviews.verdictOn('good', 1_000)));
    assert.equal(server.specs.length, 1);
  });

  it('do not cache a failure', async () => {
    const clock = virtualClock();
    const server = scriptedReviews(clock, () => unreachable());
    const reviews = reviewsOf(clock, server);
    const failed = assert.rejects(reviews.verdictOn('good', 20_000));
    await clock.runAll();
    await failed;
    server.script = () => ({ authenticated: true, user: jane });
    assert.equal((await reviews.verdictOn('good', 1_000)).kind, 'identified');
  });

  it('time out for a caller with a short deadline, and continue for the others', async () => {
    const clock = virtualClock();
    const answer = Promise.withResolvers<object>();
    const server = scriptedReviews(clock, () => answer.promise);
    const reviews = reviewsOf(clock, server);
    const patient = reviews.verdictOn('good', 9_000);
    const hasty = assert.rejects(reviews.verdictOn('good', 1_000), { code: 'DeadlineExceeded' });
    await clock.advance(1_000);
    await hasty;
    answer.resolve({ authenticated: true, user: jane });
    assert.equal((await patient).kind, 'identified');
    assert.equal(server.specs.length, 1);
  });
});
