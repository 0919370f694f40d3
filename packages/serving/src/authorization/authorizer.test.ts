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

function decisionsWith(script: Script) {
  const clock = virtualClock();
  const server = scriptedReviews(clock, script);
  const { reviewer } = server;
  const reviews = new AccessReviews({ reviewer, clock, allowTtlMs: 10_000, denyTtlMs: 5_000 });
  const authorizer: Authorizer = createAuthorizer({ isOpen: () => false, reviews });
  return { clock, server, authorizer };
}

describe('the decision on a request', () => {
  it('comes from the API server, which gets all attributes of the user', async () => {
    const { authorizer, server } = decisionsWith(() => ({ allowed: true }));
    assert.equal(await authorizer.decide(get), 'allowed');
    assert.deepEqual(server.specs, [
      {
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
        user: 'jane',
        groups: ['devs'],
        uid: '7',
        extra: { a: ['b'] },
      },
    ]);
  });

  it('is forbidden unless the API server allows it and does not deny it', async () => {
    for (const status of [
      {},
      { allowed: false },
      { allowed: 'true' },
      { allowed: true, denied: true },
    ]) {
      const { authorizer } = decisionsWith(() => status);
      assert.equal(await authorizer.decide(get), 'forbidden', JSON.stringify(status));
    }
  });

  it('is unknown when the review fails, and the next request is reviewed again', async () => {
    const { authorizer, server } = decisionsWith(() => refusedByServer(404));
    assert.equal(await authorizer.decide(get), 'unknown');
    server.script = () => ({ allowed: true });
    assert.equal(await authorizer.decide(get), 'allowed');
  });

  it('is allowed for the group system:masters without a review', async () => {
    const { authorizer, server } = decisionsWith(() => ({ allowed: false }));
    const identity = { ...jane, groups: ['system:masters'] };
    assert.equal(await authorizer.decide({ ...get, identity }), 'allowed');
    const pretender = { ...jane, name: 'system:masters', groups: ['system:masters '] };
    assert.equal(await authorizer.decide({ ...get, identity: pretender }), 'forbidden');
    assert.equal(server.specs.length, 1);
  });

  it('is unchecked when no API server reviews access', async () => {
    const authorizer = createAuthorizer({ isOpen: () => false, reviews: undefined });
    assert.equal(await authorizer.decide(get), 'unchecked');
  });

  it('is cached as long as the settings say, with separate times for allowed and forbidden', async () => {
    const { authorizer, server, clock } = decisionsWith(({ user }) => ({
      allowed: user === 'jane',
    }));
    const other = { ...get, identity: { ...jane, name: 'tom' } };
    const both = async (): Promise<void> => {
      await authorizer.decide(get);
      await authorizer.decide(other);
    };
    await both();
    await both();
    assert.equal(server.specs.length, 2);
    await clock.advance(5_000);
    await both();
    assert.equal(server.specs.length, 3, 'the forbidden request was reviewed again');
    await clock.advance(5_000);
    await both();
    assert.equal(server.specs.length, 5);
  });

  it('is not shared by requests with another verb, path, group or extra attribute', async () => {
    const { authorizer, server } = decisionsWith(() => ({ allowed: true }));
    const questions = [
      get,
      { ...get, verb: 'head' },
      { ...get, path: '/metrics/' },
      { ...get, identity: { ...jane, groups: ['devs', 'ops'] } },
      { ...get, identity: { ...jane, extra: {} } },
    ];
    for (const question of questions) await authorizer.decide(question);
    assert.equal(server.specs.length, questions.length);
  });
});

describe('the paths that are always allowed', () => {
  it('match exactly, or by prefix if they end in an asterisk', () => {
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
