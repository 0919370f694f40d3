import assert from 'node:assert/strict';
import { type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import {
  scriptedReviews,
  type ScriptedReviews,
  unreachable,
} from '../review/scripted-reviews.fixture.ts';
import { TokenReviews, verdictIn } from './token-reviews.ts';

const jane = { username: 'jane', uid: '7', groups: ['a', 'b'], extra: { key: ['value'] } };

function reviewsOf(clock: VirtualClock, scene: ScriptedReviews): TokenReviews {
  const { reviewer, metrics } = scene;
  const onLookup = (status: 'hit' | 'miss'): void => metrics.tokenLookedUp(status);
  return new TokenReviews({ reviewer, clock, ttlMs: 10_000, onLookup });
}

describe('reviews of tokens', () => {
  it('take nothing for a yes but a yes with a name', () => {
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

  it('are asked for once in ten seconds, a good token as a bad one', async () => {
    const clock = virtualClock();
    const scene = scriptedReviews(clock, ({ token }) => ({
      authenticated: token === 'good',
      user: jane,
    }));
    const reviews = reviewsOf(clock, scene);
    for (let i = 0; i < 5; i++) {
      assert.equal((await reviews.verdictOn('good', 1_000)).kind, 'identified');
      assert.equal((await reviews.verdictOn('bad', 1_000)).kind, 'refused');
    }
    assert.deepEqual(scene.specs, [{ token: 'good' }, { token: 'bad' }]);
    await clock.advance(10_000);
    await reviews.verdictOn('good', 1_000);
    assert.equal(scene.specs.length, 3);
    const rendered = await scene.render();
    assert.match(rendered, /authentication_token_cache_request_total\{status="hit"\} 8/);
  });

  it('of a flood of bad tokens do not push out a good one', async () => {
    const clock = virtualClock();
    const scene = scriptedReviews(clock, ({ token }) => ({
      authenticated: token === 'good',
      user: jane,
    }));
    const reviews = reviewsOf(clock, scene);
    await reviews.verdictOn('good', 1_000);
    for (let i = 0; i < 1_050; i++) await reviews.verdictOn(`bad ${i}`, 1_000);
    const before = scene.specs.length;
    await reviews.verdictOn('good', 1_000);
    assert.equal(scene.specs.length, before);
  });

  it('are one for all who ask at the same time', async () => {
    const clock = virtualClock();
    const scene = scriptedReviews(clock, () => ({ authenticated: true, user: jane }));
    const reviews = reviewsOf(clock, scene);
    await Promise.all(Array.from({ length: 20 }, () => reviews.verdictOn('good', 1_000)));
    assert.equal(scene.specs.length, 1);
  });

  it('keep no failure for a verdict', async () => {
    const clock = virtualClock();
    const scene = scriptedReviews(clock, () => unreachable());
    const reviews = reviewsOf(clock, scene);
    const failed = assert.rejects(reviews.verdictOn('good', 20_000));
    await clock.runAll();
    await failed;
    scene.script = () => ({ authenticated: true, user: jane });
    assert.equal((await reviews.verdictOn('good', 1_000)).kind, 'identified');
  });

  it('let go whoever will not wait, and go on for the others', async () => {
    const clock = virtualClock();
    const answer = Promise.withResolvers<object>();
    const scene = scriptedReviews(clock, () => answer.promise);
    const reviews = reviewsOf(clock, scene);
    const patient = reviews.verdictOn('good', 9_000);
    const hasty = assert.rejects(reviews.verdictOn('good', 1_000), { code: 'DeadlineExceeded' });
    await clock.advance(1_000);
    await hasty;
    answer.resolve({ authenticated: true, user: jane });
    assert.equal((await patient).kind, 'identified');
    assert.equal(scene.specs.length, 1);
  });
});
