/**
 * The real transport on real sockets: what goes over the wire, and what it makes of servers and
 * networks that fail at every point of a request's way.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createServer as createHttpsServer } from 'node:https';
import { createKubeClient } from '@tandem/kube/client';
import { createMetrics, systemClock } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { eventually } from '../../control-plane/index.ts';
import {
  anIdentity,
  credentialsFor,
  listen,
  loopbackTls,
  startPlain,
  startTls,
  textOf,
  transportTo,
} from './client-loopback.ts';

const { signal } = new AbortController();
const patch = { method: 'PATCH', path: '/', headers: {}, body: '{}', signal } as const;

describe('the transport', () => {
  it('says who it is, and how long every body is, that of a DELETE too', async () => {
    const seen: string[] = [];
    await using server = await startTls((request, response) => {
      const { 'user-agent': agent, 'content-length': length, authorization } = request.headers;
      const head = `${request.method} ${request.url} ${agent} ${authorization} ${length}`;
      request.on('data', (text) => seen.push(`${head} ${text}`));
      request.on('end', () => response.end());
    });
    const headers = { authorization: 'Bearer t' };
    await using transport = transportTo(
      credentialsFor(`${server.url}/prefix`, anIdentity({ headers })),
    );
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const { body } = await transport.send({ ...patch, method, path: '/a?b=c', body: '{"ü":1}' });
      await textOf(body);
    }
    assert.deepEqual(
      seen,
      ['POST', 'PUT', 'PATCH', 'DELETE'].map(
        (method) => `${method} /prefix/a?b=c tandem/test Bearer t 8 {"ü":1}`,
      ),
    );
  });

  it('uses one connection again and again', async () => {
    await using server = await startTls((_, response) => response.end('{}'));
    await using transport = transportTo(server.url);
    for (let i = 0; i < 20; i++) await textOf((await transport.get()).body);
    // Right after an answer undici looks at the connection once more, and may take a second one.
    assert.ok(server.connections <= 2, `${server.connections} connections`);
  });

  it('slows down a fast server while nobody reads', async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    const chunksMax = 128;
    let sent = 0;
    const pour = async (response: ServerResponse): Promise<void> => {
      for (; sent < chunksMax; sent++) {
        if (!response.write(chunk)) await once(response, 'drain');
      }
      response.end();
    };
    await using server = await startTls((request, response) => {
      if (request.url === '/fast') void pour(response);
      else response.end();
    });
    await using transport = transportTo(server.url);
    const { body } = await transport.get('/fast');
    for (let i = 0; i < 200; i++) await textOf((await transport.get('/other')).body);
    assert.ok(sent < chunksMax, `the server got rid of ${sent} MB`);
    let received = 0;
    for await (const part of body) received += part.length;
    assert.equal(received, chunksMax * chunk.length);
  });

  it('ends a request, and a stream, when the signal aborts', async () => {
    let ended = 0;
    await using server = await startTls((request, response) => {
      response.on('close', () => ended++);
      if (request.url === '/stream') response.write('first');
    });
    await using transport = transportTo(server.url);
    const abort = new AbortController();
    const asked = { ...patch, signal: abort.signal };
    const silent = assert.rejects(transport.send(asked), /enough/);
    const { body } = await transport.send({ ...asked, path: '/stream' });
    const reader = body[Symbol.asyncIterator]();
    await reader.next();
    const waiting = assert.rejects(reader.next(), /enough/);
    abort.abort(new Error('enough'));
    await Promise.all([silent, waiting]);
    await eventually(() => ended === 2);
  });

  it('closes the connection when a reader has enough', async () => {
    let hasEnded = false;
    await using server = await startTls((_, response) => {
      response.on('close', () => (hasEnded = true));
      response.write('first');
    });
    await using transport = transportTo(server.url);
    for await (const _ of (await transport.get()).body) break;
    await eventually(() => hasEnded);
  });

  it('sends nothing that the gate refuses when the socket becomes ready', async () => {
    const requests: string[] = [];
    const tls = createHttpsServer(loopbackTls, (request, response) => {
      requests.push(request.method ?? '');
      response.end();
    });
    const waiting: Socket[] = [];
    // The handshake waits until the socket is handed over, as if the server, or we, had been paused.
    await using server = await listen(
      createServer((socket) => void waiting.push(socket)),
      'https',
    );
    await using transport = transportTo(server.url);
    const lost = new Error('the lease is lost');
    let isLeading = true;
    const refuseAtSocket = (): Error | undefined => (isLeading ? undefined : lost);
    const sending = transport.send({ ...patch, refuseAtSocket });
    const socket = await eventually(() => waiting.shift());
    isLeading = false;
    tls.emit('connection', socket);
    await assert.rejects(sending, lost);
    assert.equal((await transport.get()).status, 200, 'the connection itself is good');
    assert.deepEqual(requests, ['GET']);
  });

  it('knows that nothing was sent when the signal aborts during the handshake', async () => {
    const accepted: Socket[] = [];
    await using server = await listen(
      createServer((socket) => void accepted.push(socket)),
      'https',
    );
    await using transport = transportTo(server.url);
    const abort = new AbortController();
    const sending = transport.send({ ...patch, signal: abort.signal });
    await eventually(() => accepted.length > 0);
    abort.abort(new Error('enough'));
    await assert.rejects(sending, { code: 'RequestNotSent', effect: 'none' });
  });

  it('tells that there is no connection, without effect', async () => {
    const server = await startTls(() => {});
    await server[Symbol.asyncDispose]();
    await using transport = transportTo(server.url);
    await assert.rejects(transport.send(patch), {
      code: 'ConnectionFailed',
      effect: 'none',
      retry: 'backoff',
      message: `Cannot connect to ${server.url} (ECONNREFUSED). Check that the API server is running, and check its address in the kubeconfig.`,
    });
  });

  it('does not know the effect of a write whose connection is lost, and never sends it again', async () => {
    let received = 0;
    await using server = await startTls((request) => {
      received++;
      request.socket.destroy();
    });
    await using transport = transportTo(server.url);
    const lost = { code: 'ConnectionLost', retry: 'backoff' };
    await assert.rejects(transport.send(patch), { ...lost, effect: 'unknown' });
    await assert.rejects(transport.get(), { ...lost, effect: 'none' });
    assert.equal(received, 2);
  });

  it('tells when an answer breaks off', async () => {
    await using server = await startTls((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await using transport = transportTo(server.url);
    const { body } = await transport.send(patch);
    await assert.rejects(textOf(body), { code: 'ConnectionLost', effect: 'unknown' });
  });

  it('does not talk to a server that it cannot trust', async () => {
    let received = 0;
    await using server = await startTls(() => received++);
    const tls = { isVerified: true };
    await using transport = transportTo(credentialsFor(server.url, anIdentity({ tls })));
    await assert.rejects(transport.get(), {
      code: 'ServerNotTrusted',
      effect: 'none',
      retry: 'never',
    });
    assert.equal(received, 0);
  });

  it('expects the name that the kubeconfig says', async () => {
    await using server = await startTls((_, response) => response.end());
    const { tls } = anIdentity();
    const other = anIdentity({ tls: { ...tls, serverName: 'kubernetes.default' } });
    await using transport = transportTo(credentialsFor(server.url, other));
    await assert.rejects(transport.get(), { code: 'ServerNotTrusted' });
  });

  it('says so when there is plain HTTP, or no HTTP at all, on the port', async () => {
    await using plain = await startPlain((_, response) => response.end());
    await using transport = transportTo(plain.url.replace('http:', 'https:'));
    await assert.rejects(transport.get(), {
      code: 'ServerWithoutTls',
      retry: 'never',
      message: /does not speak TLS\. The port serves plain HTTP or another protocol/,
    });
    await using ssh = await listen(
      createTlsServer(loopbackTls, (socket) =>
        socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.9\r\n')),
      ),
      'https',
    );
    await using other = transportTo(ssh.url);
    await assert.rejects(other.get(), { code: 'AnswerNotHttp', retry: 'never' });
  });

  it('reads its credentials again when they are refused, and tries once more', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await startTls((request, response) => {
      seen.push(request.headers.authorization);
      response.statusCode = request.headers.authorization === 'new' ? 200 : 401;
      response.end('{}');
    });
    const identities = ['old', 'new', 'newer'].map((authorization) =>
      anIdentity({ headers: { authorization } }),
    );
    await using transport = transportTo(credentialsFor(server.url, ...identities));
    assert.equal((await transport.send(patch)).status, 200);
    assert.deepEqual(seen, ['old', 'new']);
  });

  it('says whose credentials were refused, also those that were read again', async () => {
    await using server = await startTls((_, response) => {
      response.statusCode = 401;
      response.end('{}');
    });
    const origin = { name: 'the kubeconfig /etc/ccm', remedy: 'Renew the token in it.' };
    for (const identities of [[], [anIdentity(), anIdentity()]]) {
      const credentials = { ...credentialsFor(server.url, ...identities), origin };
      await using hopeless = transportTo(credentials);
      const { status, refused } = await hopeless.get();
      assert.deepEqual([status, refused], [401, origin]);
    }
  });

  it('gives the refusal as it is when no other credentials can be read', async () => {
    await using server = await startTls((_, response) => {
      response.statusCode = 401;
      response.end('{}');
    });
    const renew = () => Promise.reject(new Error('no such file'));
    await using transport = transportTo({ ...credentialsFor(server.url), renew });
    assert.equal((await transport.get()).status, 401);
  });

  it('opens new connections when its certificates rotate, and lets streams go on', async () => {
    let stream: { write(text: string): void } | undefined;
    await using server = await startTls((request, response) => {
      if (request.url !== '/stream') return void response.end('{}');
      stream = response;
      response.write('before ');
    });
    const credentials = credentialsFor(server.url);
    let identity = anIdentity();
    await using transport = transportTo({
      ...credentials,
      identity: () => Promise.resolve(identity),
    });
    const reader = (await transport.get('/stream')).body[Symbol.asyncIterator]();
    await reader.next();
    await textOf((await transport.get()).body);
    const before = server.connections;
    identity = anIdentity();
    await textOf((await transport.get()).body);
    assert.equal(server.connections, before + 1);
    stream?.write('after');
    assert.equal(Buffer.from((await reader.next()).value ?? []).toString(), 'after');
  });

  it('ends everything when it is closed', async () => {
    await using server = await startTls((_, response) => response.write('first'));
    await using transport = transportTo(server.url);
    const { body } = await transport.get();
    const reading = assert.rejects(textOf(body), { code: 'ConnectionLost' });
    await transport.close();
    await reading;
    await assert.rejects(transport.get(), { code: 'TransportClosed', effect: 'none' });
  });
});

describe('the client, talking to something else than an API server', () => {
  const cases: { name: string; status: number; headers: Record<string, string>; says: RegExp }[] = [
    {
      name: 'a web page',
      status: 200,
      headers: { 'content-type': 'text/html' },
      says: /a web page/,
    },
    { name: 'a redirect', status: 301, headers: { location: 'https://x/' }, says: /https:\/\/x\// },
  ];
  for (const { name, status, headers, says } of cases) {
    it(`tells ${name} in one clear error, asking once`, async () => {
      let asked = 0;
      await using server = await startTls((_, response) => {
        asked++;
        response.writeHead(status, headers).end('<html>');
      });
      await using transport = transportTo(server.url);
      const client = createKubeClient({
        transport,
        clock: systemClock,
        random: seededRandom('x'),
        metrics: createMetrics(),
        server: server.url,
      });
      const resource = { group: '', version: 'v1', resource: 'nodes' };
      const error = { code: 'NotAnApiServer', message: says, retry: 'never' };
      await assert.rejects(client.call({ verb: 'list', resource }), error);
      const stream = { resource, query: { watch: '1' }, accept: 'application/json', signal };
      await assert.rejects(client.open(stream), error);
      assert.equal(asked, 2);
    });
  }
});
