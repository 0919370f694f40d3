import assert from 'node:assert/strict';
import { ApiError, createKubeClient } from '@tandem/kube/client';
import type { KubeTransport } from '@tandem/kube/transport';
import { CcmError, createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { createCluster } from '../../../../test/support/embedded-api.ts';
import { anAuthority, dayMs, issue, type Issued } from '../certificates/issue.fixture.ts';
import { FollowedConfigMap } from './followed-config-map.ts';
import { lookupFailed, reasonOf } from './lookup-failure.ts';

const [first, second] = [
  anAuthority({ commonName: 'first' }),
  anAuthority({ commonName: 'second' }),
];
const collection = '/api/v1/namespaces/kube-system/configmaps';
const name = 'extension-apiserver-authentication';

interface FollowedMap {
  readonly clock: VirtualClock;
  readonly followed: FollowedConfigMap;
  readonly log: string[];
  /** Writes the configmap as the API server does. */
  write(method: 'POST' | 'PATCH' | 'DELETE', clientCa?: string, object?: string): Promise<void>;
  /** Returns which of the two authorities are trusted for clients. */
  trusted(): string;
}

const origin = { name: 'the kubeconfig /etc/reviews', remedy: 'Renew the token in it.' };

function aWorld({ toleratesFailure = false, isRefused = (): boolean => false } = {}): FollowedMap {
  const clock = virtualClock({ startMs: dayMs });
  const random = seededRandom('config map');
  const transport = createCluster({ clock, random }).connect();
  const refusing: KubeTransport = {
    ...transport,
    send: (request) => (isRefused() ? Promise.resolve(unauthorized) : transport.send(request)),
  };
  const metrics = createMetrics();
  const log: string[] = [];
  const destination = { write: (line: string) => void log.push(line) };
  const followed = new FollowedConfigMap({
    client: createKubeClient({ transport: refusing, clock, random, metrics }),
    clock,
    random,
    logger: createLogger({ clock, destination }),
    metrics,
    toleratesFailure,
    origin,
  });
  const vouched = (authority: Issued): boolean => {
    const leaf = issue({ issuer: authority }).x509;
    return followed.trust.clients?.vouchesFor({ leaf, others: [] }, dayMs) ?? false;
  };
  return {
    clock,
    followed,
    log,
    async write(method, clientCa, object = name) {
      const data = { 'client-ca-file': clientCa };
      const metadata = { name: object, namespace: 'kube-system' };
      const body = method === 'POST' ? { metadata, data } : { data };
      const sent = transport.send({
        method,
        path: method === 'POST' ? collection : `${collection}/${object}`,
        headers: {
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        },
        ...(method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
        signal: new AbortController().signal,
      });
      await clock.advance(100);
      const { status } = await sent;
      assert.ok(status < 300, `${method} gave ${status}`);
    },
    trusted: () => `${vouched(first) ? 'first' : ''}${vouched(second) ? 'second' : ''}`,
  };
}

const unauthorized = { status: 401, headers: {}, body: nothing() };

async function* nothing(): AsyncGenerator<Uint8Array> {}

function unreachable(code: string): CcmError {
  return new CcmError('gone', { code, retry: 'backoff', effect: 'none' });
}

function refused(code: number): ApiError {
  const status = { code, reason: '', message: 'no', causes: [], retryAfterSeconds: undefined };
  const retry = code === 503 ? 'backoff' : 'never';
  return new ApiError('no', { code: 'ApiRefused', retry, effect: 'none', status });
}

async function started(world: FollowedMap): Promise<void> {
  const starting = world.followed.start();
  await world.clock.advance(1_000);
  await starting;
}

describe('the client authorities of the cluster', () => {
  it('follow the configmap until stop, and an unreadable version changes nothing', async () => {
    const world = aWorld();
    await world.write('POST', first.certPem);
    await started(world);
    assert.equal(world.trusted(), 'first');
    await world.write('POST', second.certPem, 'another');
    assert.equal(world.trusted(), 'first', 'another configmap has no effect');
    await world.write('PATCH', first.certPem + second.certPem);
    assert.equal(world.trusted(), 'firstsecond');
    await world.write('PATCH', 'rubbish');
    assert.equal(world.trusted(), 'firstsecond');
    assert.match(world.log.at(-1) ?? '', /"problem":"client-ca-file has no readable certificates"/);
    await world.write('PATCH', second.certPem);
    assert.equal(world.trusted(), 'second');
    await world.write('DELETE');
    assert.equal(world.trusted(), '', 'a deleted configmap ends the trust');
    assert.match(world.log.at(-1) ?? '', /Dropped the CA certificates of the cluster/);
    await world.write('POST', first.certPem);
    assert.equal(world.trusted(), 'first');
    assert.match(world.log.at(-1) ?? '', /Reloaded the CA certificates of the cluster/);
    const stopping = world.followed.stop();
    await world.clock.runAll();
    await stopping;
    assert.equal(world.clock.pending, 0);
  });

  it('are required at start, and the error says what to do without them', async () => {
    const world = aWorld();
    const failed = assert.rejects(world.followed.start(), {
      code: 'AuthenticationLookupFailed',
      retry: 'never',
      message: /\(ApiNotFound 404\)\. Start the API server with --client-ca-file/,
    });
    await world.clock.runAll();
    await failed;
  });

  const failures = [
    {
      err: unreachable('ConnectionFailed'),
      retry: 'backoff',
      says: /Cannot reach the API server .*answers/,
    },
    {
      err: unreachable('CallTimedOut'),
      retry: 'backoff',
      says: /Cannot reach the API server .*answers/,
    },
    { err: refused(503), retry: 'backoff', says: /Cannot reach the API server .*\(Api\w+ 503\)/ },
    { err: refused(403), retry: 'never', says: /403.*Bind the role extension-.*-reader / },
    {
      err: refused(401),
      retry: 'backoff',
      says: /refused the credentials of the kubeconfig \/etc\/reviews for 60 s .*401.* Renew the token in it\./,
    },
    { err: new SyntaxError('secret'), retry: 'never', says: /\(the answer cannot be read\)/ },
  ];
  for (const { err, retry, says } of failures) {
    it(`come with advice when ${reasonOf(err)} prevents the look-up`, () => {
      const failed = lookupFailed(err, origin);
      assert.deepEqual([failed.code, failed.retry], ['AuthenticationLookupFailed', retry]);
      assert.match(failed.message, says);
      const namesRole = failed.message.includes('extension-apiserver-authentication-reader');
      assert.equal(namesRole, err instanceof ApiError && err.status.code === 403);
      assert.ok(!failed.message.includes('secret'));
    });
  }

  it('are awaited while the API server refuses the credentials, which may be renewed', async () => {
    let isRefused = true;
    const world = aWorld({ isRefused: () => isRefused });
    await world.write('POST', first.certPem);
    const starting = world.followed.start();
    await world.clock.advance(50_000);
    isRefused = false;
    await world.clock.advance(10_000);
    await starting;
    assert.equal(world.trusted(), 'first');
    const stopping = world.followed.stop();
    await world.clock.runAll();
    await stopping;
  });

  it('are awaited for at most a minute', async () => {
    const world = aWorld({ isRefused: () => true });
    const failed = assert.rejects(world.followed.start(), {
      code: 'AuthenticationLookupFailed',
      retry: 'backoff',
    });
    await world.clock.advance(59_000);
    assert.ok(world.clock.pending > 0);
    await world.clock.advance(3_000);
    await failed;
    assert.equal(world.clock.pending, 0);
  });

  for (const toleratesFailure of [true, false]) {
    it(`are not awaited after stop (toleratesFailure: ${toleratesFailure})`, async () => {
      const world = aWorld({ toleratesFailure });
      const failed = assert.rejects(world.followed.start(), { name: 'AbortError' });
      await world.followed.stop();
      await failed;
      assert.equal(world.trusted(), '');
      assert.deepEqual(world.log, []);
    });
  }

  it('take effect when they appear after a start that tolerates their absence', async () => {
    const world = aWorld({ toleratesFailure: true });
    await started(world);
    assert.equal(world.trusted(), '');
    assert.match(world.log.join(''), /Started without the CA certificates of the cluster/);
    await world.write('POST', first.certPem);
    assert.equal(world.trusted(), 'first');
    assert.match(world.log.at(-1) ?? '', /Reloaded the CA certificates of the cluster/);
    const stopping = world.followed.stop();
    await world.clock.runAll();
    await stopping;
  });
});
