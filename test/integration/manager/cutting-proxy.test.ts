/** The proxy between a client and a server that counts, both of this process. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@tandem/runtime';
import {
  createAuthority,
  type Credentials,
  eventually,
  open,
  request,
} from '../../control-plane/index.ts';
import { CuttingProxy } from '../../support/cutting-proxy/index.ts';

describe('a cutting proxy', () => {
  let server: Server;
  let target: Credentials;
  let proxy: CuttingProxy;
  let client: Credentials;
  const reached: string[] = [];

  before(async () => {
    const authority = createAuthority('origin', systemClock.now());
    const hosts = ['127.0.0.1'];
    server = createServer(authority.issue({ commonName: 'origin', hosts, uses: ['serverAuth'] }));
    server.on('request', (incoming, outgoing) => void serve(incoming, outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    target = { server: `https://127.0.0.1:${port}`, ca: authority.cert };
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    const { authorization = '-' } = incoming.headers;
    reached.push(`${incoming.method} ${incoming.url} ${authorization} ${body}`);
    outgoing.writeHead(201, { 'x-kept': 'yes' });
    outgoing.once('close', () => reached.push('closed'));
    outgoing.write('first');
    if (!incoming.url?.includes('watch=1')) outgoing.end();
  }

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  beforeEach(async () => {
    reached.length = 0;
    proxy = await CuttingProxy.start(target);
    client = { ...proxy.address, token: 'secret' };
  });

  afterEach(() => proxy[Symbol.asyncDispose]());

  const put = (path = '/a?b=c'): Promise<{ status: number; text: string }> =>
    request(client, { method: 'PUT', path, body: { x: 1 } });

  it('passes method, path, credentials and body, and the answer with its headers', async () => {
    const answer = await request(client, { method: 'PUT', path: '/a?b=c', body: { x: 1 } });
    assert.deepEqual(reached, ['PUT /a?b=c Bearer secret {"x":1}', 'closed']);
    assert.equal(answer.status, 201);
    assert.equal(answer.text, 'first');
    assert.equal(answer.headers['x-kept'], 'yes');
    const [{ method, path, kind, status } = {}, ...others] = proxy.exchanges.map((all) => all);
    assert.deepEqual([method, path, kind, status], ['PUT', '/a', 'write', 201]);
    assert.deepEqual(others, []);
  });

  it('passes a watch as it comes, and ends it at the server when the client goes', async () => {
    const answer = await open(client, { path: '/a?watch=1' });
    const [first] = await once(answer, 'data');
    assert.equal(String(first), 'first');
    assert.equal(proxy.exchanges[0]?.kind, 'watch');
    assert.equal(proxy.exchanges[0]?.status, 201);
    assert.deepEqual(reached, ['GET /a?watch=1 Bearer secret ']);
    answer.destroy();
    await eventually(() => reached.at(-1) === 'closed');
  });

  it('breaks the chosen request before the server has seen it', async () => {
    proxy.interfere({
      on: ({ kind }) => kind === 'write',
      nth: 2,
      when: 'before',
      act: () => 'drop',
    });
    await put();
    await assert.rejects(put(), { code: 'ECONNRESET' });
    await put();
    assert.equal(reached.filter((line) => line.startsWith('PUT')).length, 2);
    assert.deepEqual(
      proxy.writes.map(({ isForwarded }) => isForwarded),
      [true, false, true],
    );
  });

  it('breaks a request after the server has answered it', async () => {
    const undo = proxy.interfere({ on: () => true, when: 'after', act: () => 'drop' });
    await assert.rejects(put(), { code: 'ECONNRESET' });
    assert.equal(reached.filter((line) => line.startsWith('PUT')).length, 1);
    undo();
    assert.equal((await put()).status, 201);
  });

  it('answers in place of the server', async () => {
    const no = { status: 403, reason: 'Forbidden', message: 'not you' };
    proxy.interfere({ on: ({ path }) => path === '/a', when: 'before', act: () => no });
    const answer = await put();
    assert.equal(answer.status, 403);
    const { kind, message, reason, code } = JSON.parse(answer.text);
    assert.deepEqual([kind, message, reason, code], ['Status', 'not you', 'Forbidden', 403]);
    assert.deepEqual(reached, []);
    assert.equal((await put('/b')).status, 201);
  });

  it('does not count reviews as writes, although they are POSTs', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    await request(client, { method: 'POST', path, body: {} });
    assert.deepEqual(proxy.writes, []);
    assert.equal(proxy.exchanges[0]?.kind, 'review');
  });

  it('holds a request until the work of the test is done', async () => {
    const holding = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    proxy.interfere({
      on: () => true,
      when: 'before',
      async act(): Promise<'pass'> {
        arrived.resolve();
        await holding.promise;
        return 'pass';
      },
    });
    const answering = put();
    await arrived.promise;
    assert.deepEqual(reached, []);
    holding.resolve();
    assert.equal((await answering).status, 201);
  });

  it('never answers a request that is to hang', async () => {
    proxy.interfere({ on: () => true, when: 'before', act: () => 'hang' });
    const path = '/a';
    await assert.rejects(request(client, { path, deadlineMs: 50 }), { code: 'DeadlineExceeded' });
    assert.deepEqual(reached, []);
  });
});
