import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import type { Identity } from '../authentication/identity.ts';
import {
  refusedByServer,
  type Script,
  scriptedReviews,
} from '../review/scripted-reviews.fixture.ts';
import { AccessReviews } from './access-reviews.ts';
import { alwaysAllowed, type Authorizer, createAuthorizer } from './authorizer.ts';

const jane: Identity = { name: 'jane', uid: '7', groups: ['devs'], extra: { a: ['b'] } };
const get = { identity: jane, verb: 'get', path: '/metrics' };

function sceneOf(script: Script) {
  const clock = virtualClock();
  const scene = scriptedReviews(clock, script);
  const { reviewer } = scene;
  const reviews = new AccessReviews({ reviewer, clock, allowTtlMs: 10_000, denyTtlMs: 5_000 });
  const authorizer: Authorizer = createAuthorizer({ isOpen: () => false, reviews });
  return { clock, scene, authorizer };
}

describe('who may do what', () => {
  it('is asked of the API server with all that is known', async () => {
    const { authorizer, scene } = sceneOf(() => ({ allowed: true }));
    assert.equal(await authorizer.decide(get), 'allowed');
    assert.deepEqual(scene.specs, [
      {
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
        user: 'jane',
        groups: ['devs'],
        uid: '7',
        extra: { a: ['b'] },
      },
    ]);
  });

  it('is forbidden by anything but a plain yes', async () => {
    for (const status of [
      {},
      { allowed: false },
      { allowed: 'true' },
      { allowed: true, denied: true },
    ]) {
      const { authorizer } = sceneOf(() => status);
      assert.equal(await authorizer.decide(get), 'forbidden', JSON.stringify(status));
    }
  });

  it('is unknown when the API server cannot be asked, and is asked again', async () => {
    const { authorizer, scene } = sceneOf(() => refusedByServer(404));
    assert.equal(await authorizer.decide(get), 'unknown');
    scene.script = () => ({ allowed: true });
    assert.equal(await authorizer.decide(get), 'allowed');
  });

  it('is everything for system:masters, unasked', async () => {
    const { authorizer, scene } = sceneOf(() => ({ allowed: false }));
    const identity = { ...jane, groups: ['system:masters'] };
    assert.equal(await authorizer.decide({ ...get, identity }), 'allowed');
    const pretender = { ...jane, name: 'system:masters', groups: ['system:masters '] };
    assert.equal(await authorizer.decide({ ...get, identity: pretender }), 'forbidden');
    assert.equal(scene.specs.length, 1);
  });

  it('is nothing where no API server is to be asked', async () => {
    const authorizer = createAuthorizer({ isOpen: () => false, reviews: undefined });
    assert.equal(await authorizer.decide(get), 'unchecked');
  });

  it('is kept for as long as the settings say, yes and no apart', async () => {
    const { authorizer, scene, clock } = sceneOf(({ user }) => ({ allowed: user === 'jane' }));
    const other = { ...get, identity: { ...jane, name: 'tom' } };
    const both = async (): Promise<void> => {
      await authorizer.decide(get);
      await authorizer.decide(other);
    };
    await both();
    await both();
    assert.equal(scene.specs.length, 2);
    await clock.advance(5_000);
    await both();
    assert.equal(scene.specs.length, 3, 'the no was asked again');
    await clock.advance(5_000);
    await both();
    assert.equal(scene.specs.length, 5);
  });

  it('is another question for another verb, path, group or extra', async () => {
    const { authorizer, scene } = sceneOf(() => ({ allowed: true }));
    const questions = [
      get,
      { ...get, verb: 'head' },
      { ...get, path: '/metrics/' },
      { ...get, identity: { ...jane, groups: ['devs', 'ops'] } },
      { ...get, identity: { ...jane, extra: {} } },
    ];
    for (const question of questions) await authorizer.decide(question);
    assert.equal(scene.specs.length, questions.length);
  });
});

describe('the paths that are always allowed', () => {
  it('are exactly those, or all that begin so', () => {
    const isOpen = alwaysAllowed(['/healthz', '/readyz', '/open/*']);
    for (const path of ['/healthz', '/readyz', '/open/', '/open/a']) assert.ok(isOpen(path), path);
    const shut = [
      '/healthz/',
      '//healthz',
      '/healthz/ping',
      '/%68ealthz',
      '/HEALTHZ',
      '/open',
      'readyz',
    ];
    for (const path of ['', '/', ...shut]) assert.ok(!isOpen(path), path);
  });
});
