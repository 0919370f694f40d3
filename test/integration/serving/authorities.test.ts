/**
 * Certificates and tokens on the secure port without an API server: only the authorities of the flags
 * count, and they count for each request, however old its connection is.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { type Clock, systemClock } from '@tandem/runtime';
import { createAuthority, eventually } from '../../control-plane/index.ts';
import {
  authentication,
  memoryFiles,
  type Pem,
  serverPair,
  startSecureServer,
} from './secure-server.ts';

const dayMs = 24 * 3_600_000;
const nowMs = systemClock.now();
const clients = createAuthority('clients', nowMs);
const proxies = createAuthority('proxies', nowMs);

function master(authority: typeof clients): Pem {
  return authority.issue({
    commonName: 'master',
    organizations: ['system:masters'],
    uses: ['clientAuth'],
  });
}

function filesWith(more: Record<string, string>): Map<string, string> {
  const { cert, key } = serverPair();
  return new Map(Object.entries({ '/tls/tls.crt': cert, '/tls/tls.key': key, ...more }));
}

/** The status of one more request on a connection. */
async function statusOn(socket: TLSSocket, path = '/configz'): Promise<number> {
  const heard = once(socket, 'data');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: manager\r\n\r\n`);
  const [chunk] = await heard;
  return Number(String(chunk).split(' ')[1]);
}

describe('authorities of the secure port', () => {
  it('count for each request of a connection: time passes, files change', async () => {
    let shiftMs = 0;
    const clock: Clock = {
      ...systemClock,
      now: () => systemClock.now() + shiftMs,
      after: (delayMs, callback) => systemClock.after(delayMs / 20, callback),
    };
    const texts = filesWith({ '/clients.crt': clients.cert });
    await using server = await startSecureServer({
      clock,
      files: memoryFiles(texts),
      settings: { authentication: authentication({ clientCaFile: '/clients.crt' }) },
    });
    const socket = await server.dial(master(clients));
    assert.equal(await statusOn(socket), 200);
    shiftMs = 60 * dayMs;
    assert.equal(await statusOn(socket), 401, 'the certificate has expired');
    shiftMs = -60 * dayMs;
    assert.equal(await statusOn(socket), 401, 'it is not valid yet');
    shiftMs = 0;
    assert.equal(await statusOn(socket), 200);
    texts.set('/clients.crt', 'half a file');
    await eventually(() => server.log().includes('Kept the previous CA certificates'));
    assert.equal(await statusOn(socket), 200, 'the last good authorities stay');
    texts.set('/clients.crt', proxies.cert);
    await eventually(async () => (await statusOn(socket)) === 401);
    socket.destroy();
  });

  it('of clients and of proxies are never mixed', async () => {
    const settings = authentication({ clientCaFile: '/clients.crt' });
    await using server = await startSecureServer({
      files: memoryFiles(filesWith({ '/clients.crt': clients.cert, '/proxies.crt': proxies.cert })),
      settings: {
        authentication: {
          ...settings,
          requestHeader: { ...settings.requestHeader, clientCaFile: '/proxies.crt' },
        },
      },
    });
    const path = '/configz';
    const asMaster = { 'X-Remote-User': 'm', 'X-Remote-Group': 'system:masters' };
    const status = async (identity: Pem, headers = {}): Promise<number> =>
      (await server.ask({ path, identity, headers })).status;
    const plain = clients.issue({ commonName: 'jane', uses: ['clientAuth'] });
    const proxy = proxies.issue({ commonName: 'proxy', uses: ['clientAuth'] });
    assert.equal(await status(master(clients)), 200);
    assert.equal(await status(master(proxies)), 401, 'a proxy is no client, whatever it is called');
    assert.equal(await status(proxy, asMaster), 200);
    assert.equal(await status(plain, asMaster), 403, 'a client speaks for itself alone');
    const ofServer = clients.issue({ commonName: 'master', uses: ['serverAuth'] });
    assert.equal(await status(ofServer), 401, 'a server certificate is no client certificate');
  });

  it('are none without flags and kubeconfig: tokens and certificates are anonymous', async () => {
    await using server = await startSecureServer();
    assert.equal((await server.ask({ path: '/metrics', token: 'any' })).status, 403);
    assert.equal((await server.ask({ path: '/metrics', identity: master(clients) })).status, 403);
    assert.equal((await server.ask({ path: '/healthz', token: 'any' })).status, 200);
  });

  it('must be there at the start', async () => {
    const settings = { authentication: authentication({ clientCaFile: '/nowhere.crt' }) };
    await assert.rejects(startSecureServer({ settings }), {
      code: 'ServingCertificateInvalid',
      message: /^--client-ca-file: \/nowhere\.crt does not exist\. Use a file/,
    });
  });

  it('let those in who are meant to profile, one at a time and for a bounded time', async () => {
    await using server = await startSecureServer({
      files: memoryFiles(filesWith({ '/clients.crt': clients.cert })),
      settings: { authentication: authentication({ clientCaFile: '/clients.crt' }) },
    });
    const identity = master(clients);
    const profile = (seconds: string) =>
      server.ask({ path: `/debug/pprof/profile?seconds=${seconds}`, identity });
    const [first, second] = await Promise.all([profile('1'), profile('1')]);
    assert.deepEqual(
      [first.status, second.status].toSorted((a, b) => a - b),
      [200, 429],
    );
    const { text } = first.status === 200 ? first : second;
    assert.ok(Array.isArray(JSON.parse(text).nodes), 'a profile of V8');
    for (const bad of ['0', '61', '-1', 'x', '1e1']) assert.equal((await profile(bad)).status, 400);
    await using without = await startSecureServer({
      files: memoryFiles(filesWith({ '/clients.crt': clients.cert })),
      settings: {
        profiling: false,
        authentication: authentication({ clientCaFile: '/clients.crt' }),
      },
    });
    const path = '/debug/pprof/profile';
    assert.equal((await without.ask({ path, identity })).status, 404);
    assert.equal((await without.ask({ path })).status, 403);
  });
});
