/**
 * Who gets to see what on the secure port, with a real API server judging tokens and rights: nobody
 * without rights learns anything, and nothing opens when the API server cannot be asked.
 */
import assert from 'node:assert/strict';
import { systemClock } from '@tandem/runtime';
import {
  type ControlPlane,
  createAuthority,
  eventually,
  request,
} from '../../control-plane/index.ts';
import { connectClient, type ConnectedClient } from '../../support/connected-client.ts';
import {
  bindClusterRole,
  clusterWithProxies,
  createAccount,
  createMetricsRole,
  letAskForReviews,
  proxyAuthority,
  proxyName,
  type ServiceAccount,
  signedToken,
  tokenFor,
} from './cluster.ts';
import {
  authentication,
  type PortRequest,
  type SecureServer,
  secretOfPages,
  startSecureServer,
} from './secure-server.ts';

const pages = [
  '/metrics',
  '/metrics/slis',
  '/configz',
  '/flagz',
  '/statusz',
  '/debug/pprof/',
  '/debug/pprof/profile?seconds=1',
];

/** What is no page, however it is spelt, and must not become one. */
const tricks = [
  '//metrics',
  '/metrics/',
  '/metrics//',
  '/./metrics',
  '/healthz/../metrics',
  '/healthz/..%2fmetrics',
  '/healthz%2f..%2fmetrics',
  '/healthz/%2e%2e/metrics',
  '/healthz;/metrics',
  '/METRICS',
  '/%2fmetrics',
  '/%zz',
  '/metrics%00',
  '/healthz/',
  '/livez/ping',
  '/nothing-here',
  'https://manager/metrics',
  'https://manager/healthz',
  '*',
];

describe('the secure port with an API server', function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  let reviewer: ConnectedClient;
  let server: SecureServer;
  let scraper: ServiceAccount;
  let token: string;

  before(async function () {
    plane = await clusterWithProxies(this);
    await letAskForReviews(plane, 'the-manager');
    const role = await createMetricsRole(plane);
    scraper = await createAccount(plane, 'scraper');
    await bindClusterRole(plane, role, { kind: 'ServiceAccount', name: scraper.name });
    await bindClusterRole(plane, role, { kind: 'Group', name: 'readers, and others' });
    token = await tokenFor(plane, scraper);
    reviewer = await connectClient(await plane.kubeconfigFor({ user: 'the-manager' }));
    server = await startSecureServer({ clients: reviewer.client });
  });

  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await reviewer?.[Symbol.asyncDispose]();
  });

  async function refusedWith(status: number, question: PortRequest): Promise<void> {
    const answer = await server.ask(question);
    assert.equal(answer.status, status, `${JSON.stringify(question)}: ${answer.text}`);
    assert.ok(!answer.text.includes(secretOfPages));
  }

  it('shows nobody anything without rights but the health pages', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      assert.deepEqual(await textOf({ path }), [200, 'ok']);
    }
    for (const path of [...pages, ...tricks]) await refusedWith(403, { path });
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      await refusedWith(403, { method, path: '/metrics' });
    }
    const jane = plane.credentialsFor({ user: 'jane' });
    await refusedWith(403, { path: '/metrics', identity: pairOf(jane) });
    const { text } = await server.ask({ path: '/metrics' });
    const { kind, code, message } = JSON.parse(text);
    assert.deepEqual([kind, code], ['Status', 403]);
    assert.equal(message, 'forbidden: User "system:anonymous" cannot get path "/metrics"');
  });

  async function textOf(question: PortRequest): Promise<[number, string]> {
    const { status, text } = await server.ask(question);
    return [status, text];
  }

  it('lets a service account with the metrics role read the metrics, and nothing else', async () => {
    const { status, headers, text } = await server.ask({ path: '/metrics', token });
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    assert.match(text, /^tandem_serving_requests_total\{/m);
    assert.equal((await server.ask({ path: '/metrics?name[]=a', token })).status, 200);
    for (const path of [...pages.slice(1), ...tricks]) await refusedWith(403, { path, token });
    for (const method of ['HEAD', 'POST'])
      await refusedWith(403, { method, path: '/metrics', token });
    // Reviewed as /metrics, which is allowed, and no page under the name that it came with.
    await refusedWith(404, { path: '/%6detrics', token });
  });

  it('refuses tokens that are forged, expired, for others or no tokens', async () => {
    const hourMs = 3_600_000;
    const nowMs = systemClock.now();
    const bad = {
      forged: `${token.slice(0, -4)}AAAA`,
      garbage: 'garbage',
      'not ASCII': 'tøken',
      'for others': await tokenFor(plane, scraper, ['somebody-else']),
      expired: await signedToken(plane, scraper, {
        fromMs: nowMs - 2 * hourMs,
        untilMs: nowMs - hourMs,
      }),
    };
    for (const each of Object.values(bad)) {
      await refusedWith(401, { path: '/metrics', token: each });
      await refusedWith(401, { path: '/healthz', token: each });
    }
    const good = await signedToken(plane, scraper, {
      fromMs: nowMs - hourMs,
      untilMs: nowMs + hourMs,
    });
    assert.equal((await server.ask({ path: '/metrics', token: good })).status, 200);
    const twice = ['Authorization', `Bearer ${token}`, 'Authorization', `Bearer ${token}`];
    await refusedWith(401, { path: '/metrics', headers: twice });
    await refusedWith(403, { path: '/metrics', headers: { authorization: 'Basic YTpi' } });
    for (const each of [token, good, ...Object.values(bad)]) {
      assert.ok(!server.log().includes(each), 'no token in the log');
    }
  });

  it('knows client certificates of the cluster, and lets system:masters in', async () => {
    const admin = pairOf(plane.admin);
    for (const path of pages) {
      const { status, text } = await server.ask({ path, identity: admin });
      assert.equal(status, 200, `${path}: ${text}`);
    }
    assert.equal((await server.ask({ path: '/nothing-here', identity: admin })).status, 404);
    assert.equal((await server.ask({ path: '/livez/ping', identity: admin })).text, 'ok');
    assert.equal(
      (await server.ask({ method: 'POST', path: '/metrics', identity: admin })).status,
      405,
    );
    const head = await server.ask({ method: 'HEAD', path: '/configz', identity: admin });
    assert.deepEqual([head.status, head.text], [200, '']);
    const foreign = createAuthority('foreign', systemClock.now());
    const forged = foreign.issue({
      commonName: 'admin',
      organizations: ['system:masters'],
      uses: ['clientAuth'],
    });
    await refusedWith(401, { path: '/metrics', identity: forged });
    await refusedWith(401, { path: '/healthz', identity: forged });
    assert.equal((await server.ask({ path: '/metrics', identity: forged, token })).status, 200);
  });

  it('believes the headers of a proxy that the cluster vouches for, and of nobody else', async () => {
    const proxy = proxyAuthority.issue({ commonName: proxyName, uses: ['clientAuth'] });
    const asReader = ['X-Remote-User', 'ann', 'x-remote-group', 'readers, and others'];
    const path = '/metrics';
    assert.equal((await server.ask({ path, identity: proxy, headers: asReader })).status, 200);
    const split = [
      'X-Remote-User',
      'ann',
      'X-Remote-Group',
      'readers',
      'X-Remote-Group',
      'and others',
    ];
    await refusedWith(403, { path, identity: proxy, headers: split });
    // A proxy is never a client, and one of another name is nobody.
    await refusedWith(401, { path, identity: proxy });
    const other = proxyAuthority.issue({ commonName: 'other', uses: ['clientAuth'] });
    await refusedWith(401, { path, identity: other, headers: asReader });
    const asMaster = { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' };
    await refusedWith(403, { path, headers: asMaster });
    const jane = pairOf(plane.credentialsFor({ user: 'jane' }));
    await refusedWith(403, { path, identity: jane, headers: asMaster });
    await refusedWith(403, { path: '/configz', token, headers: asMaster });
    const master = await server.ask({ path: '/configz', identity: proxy, headers: asMaster });
    assert.equal(master.status, 200);
  });

  it('follows the authorities of the cluster while it runs', async () => {
    const added = createAuthority('added later', systemClock.now());
    const identity = added.issue({
      commonName: 'newcomer',
      organizations: ['system:masters'],
      uses: ['clientAuth'],
    });
    await refusedWith(401, { path: '/configz', identity });
    const map = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const { data } = JSON.parse((await request(plane.admin, { path: map })).text);
    const body = { data: { 'client-ca-file': `${data['client-ca-file']}${added.cert}` } };
    const contentType = 'application/merge-patch+json';
    await request(plane.admin, { method: 'PATCH', path: map, body, contentType });
    await eventually(async () => (await server.ask({ path: '/configz', identity })).status === 200);
  });

  it('stays shut while the API server is away, and says so once', async () => {
    const admin = pairOf(plane.admin);
    const other = await tokenFor(plane, await createAccount(plane, 'other'));
    await plane.apiServer.pause();
    try {
      // A page that needs the API server waits for it; health does not, nor for the same token.
      let hasEnded = false;
      const waiting = server.ask({ path: '/metrics', token: other }).catch(() => undefined);
      void waiting.then(() => (hasEnded = true));
      for (const question of [{ token: other }, {}]) {
        assert.equal((await server.ask({ path: '/livez', ...question })).status, 200);
        assert.equal(hasEnded, false, 'health waited for as long as a page');
      }
      assert.equal((await server.ask({ path: '/configz', identity: admin })).status, 200);
    } finally {
      plane.apiServer.resume();
    }
    await plane.apiServer.stop();
    const uncached = await Promise.all([
      server.ask({ path: '/metrics', token: `${other}x` }),
      server.ask({ path: '/never-asked-before' }),
      server.ask({ path: '/statusz', identity: pairOf(plane.credentialsFor({ user: 'zoe' })) }),
    ]);
    assert.deepEqual(
      uncached.map(({ status }) => status),
      [500, 500, 500],
    );
    assert.equal((await server.ask({ path: '/configz', identity: admin })).status, 200);
    await plane.apiServer.start();
    await eventually(async () => (await server.ask({ path: '/metrics', token })).status === 200);
    await eventually(
      async () => (await server.ask({ path: '/never-asked-before' })).status === 403,
    );
    let times = 0;
    for (const resource of ['tokenreviews', 'subjectaccessreviews']) {
      const told = (message: string): string[] =>
        server
          .log()
          .split('\n')
          .filter((line) => line.includes(`"${resource}"`) && line.includes(message));
      await eventually(async () => {
        // Something that is in no cache, so that the API server is asked.
        times += 1;
        await server.ask({ path: `/asked-${times}`, token: `${other}${times}` });
        await server.ask({ path: `/asked-${times}` });
        return told('of the secure port can be').length > 0;
      });
      assert.equal(told('callers of the secure port').length, 1);
    }
    assert.ok(!server.log().includes(other));
  });

  it('opens nothing to anybody when it may not ask for reviews, and says what to bind', async () => {
    await using nobody = await connectClient(await plane.kubeconfigFor({ user: 'without-rights' }));
    await assert.rejects(startSecureServer({ clients: nobody.client }), {
      code: 'AuthenticationLookupFailed',
      message:
        /extension-apiserver-authentication .*403.*extension-apiserver-authentication-reader/,
    });
    await using tolerant = await startSecureServer({
      clients: nobody.client,
      settings: { authentication: authentication({ tolerateLookupFailure: true }) },
    });
    assert.equal((await tolerant.ask({ path: '/metrics', token })).status, 500);
    assert.equal((await tolerant.ask({ path: '/metrics' })).status, 500);
    assert.equal((await tolerant.ask({ path: '/healthz' })).status, 200);
    assert.match(tolerant.log(), /system:auth-delegator/);
  });
});

function pairOf({ cert = '', key = '' }: { cert?: string; key?: string }) {
  return { cert, key };
}
