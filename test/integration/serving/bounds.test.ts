/**
 * What a client may send to the secure port and keep open, on real sockets: everything is bounded, and
 * whatever is beyond a bound gets a short answer or none, never a page.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import type { KubeClient } from '@tandem/kube/client';
import { systemClock } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';
import {
  authentication,
  textUntilClosed,
  type SecureServer,
  secretOfPages,
  startSecureServer,
} from './secure-server.ts';

describe('the bounds of the secure port', () => {
  let server: SecureServer;

  before(async () => {
    server = await startSecureServer();
  });
  after(() => server[Symbol.asyncDispose]());

  async function say(text: string): Promise<string> {
    const socket = await server.dial();
    const heard = textUntilClosed(socket);
    socket.write(text);
    return heard;
  }

  it('takes 10 KB of headers and refuses 1 MB with 431', async () => {
    const { status } = await server.ask({ headers: { 'x-large': 'a'.repeat(10 * 1024) } });
    assert.equal(status, 200);
    const head = 'GET /healthz HTTP/1.1\r\nHost: manager\r\n';
    const answer = await say(`${head}X-Huge: ${'a'.repeat(1024 * 1024)}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 431 /);
    const many = await say(`${head}${'X-Many: a\r\n'.repeat(100_000)}\r\n`);
    assert.match(many, /^HTTP\/1\.1 431 /);
  });

  it('closes on a length and a transfer encoding together', async () => {
    const answer = await say(
      'POST /healthz HTTP/1.1\r\nHost: manager\r\nContent-Length: 4\r\n' +
        'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: m\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.equal(answer.split('HTTP/1.1').length, 2, 'answered once');
  });

  it('answers a slow body without waiting for it, and closes', async () => {
    // The rest of it never comes.
    const answer = await say(
      'POST /metrics HTTP/1.1\r\nHost: manager\r\nContent-Length: 1000000\r\n\r\nslow',
    );
    assert.match(answer, /^HTTP\/1\.1 403 /);
    assert.match(answer, /connection: close/i);
  });

  it('answers a large body that is still being sent, and asks for none to be sent', async () => {
    const body = 'b'.repeat(2_000_000);
    const { status } = await server.ask({ method: 'POST', path: '/configz', body });
    assert.equal(status, 403);
    const expecting = await say(
      'PUT /configz HTTP/1.1\r\nHost: m\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
    );
    assert.match(expecting, /^HTTP\/1\.1 403 /);
  });

  it('refuses what is for two hosts, or of no version', async () => {
    const two = await say('GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    assert.match(two, /^HTTP\/1\.1 400 /);
    assert.match(await say('GET /livez\r\n\r\n'), /^HTTP\/1\.1 400 /);
  });

  it('speaks HTTP/1.0', async () => {
    const answer = await say('GET /livez HTTP/1.0\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 OK[^]*\r\n\r\nok$/);
    const socket = await server.dial({ ALPNProtocols: ['http/1.0'] });
    assert.equal(socket.alpnProtocol, 'http/1.0');
    socket.destroy();
  });

  it('tells plain HTTP that this is an HTTPS port, and shows nothing', async () => {
    const socket = connectPlain(server.port, '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost: manager\r\n\r\n');
    assert.match(
      await textUntilClosed(socket),
      /^HTTP\/1\.0 400 Bad Request[^]*HTTP request to an HTTPS server/,
    );
  });

  it('closes a connection that speaks neither', async () => {
    for (const bytes of ['\0\0\0\0\0', 'hello\r\n\r\n', '\x16\x03\x01\x00\x05nonsense']) {
      const socket = connectPlain(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes);
      const heard = await textUntilClosed(socket);
      assert.ok(!heard.includes(secretOfPages));
    }
    const silent = connectPlain(server.port, '127.0.0.1');
    silent.end();
    assert.equal(await textUntilClosed(silent), '', 'a balancer that only knocks');
    assert.equal((await server.ask()).status, 200);
  });

  it('refuses tunnels and upgrades', async () => {
    assert.match(await say('CONNECT metrics:443 HTTP/1.1\r\nHost: m\r\n\r\n'), /^HTTP\/1\.1 403 /);
    const upgrade = await say(
      'GET /metrics HTTP/1.1\r\nHost: m\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
    );
    assert.match(upgrade, /^HTTP\/1\.1 403 /);
  });

  it('closes a connection that pipelines too many requests', async () => {
    const answer = await say('GET /metrics HTTP/1.1\r\nHost: m\r\n\r\n'.repeat(200));
    assert.ok(answer.split('HTTP/1.1 403').length < 200);
    assert.equal((await server.ask()).status, 200);
  });

  it('answers a probe with 500 idle connections open, and sheds them', async () => {
    const idle: Socket[] = [];
    for (let batch = 0; batch < 10; batch++) {
      idle.push(...(await Promise.all(Array.from({ length: 20 }, () => server.dial()))));
    }
    for (let count = 0; count < 300; count++) {
      const plain = connectPlain(server.port, '127.0.0.1');
      plain.on('error', () => undefined);
      await once(plain, 'connect');
      idle.push(plain);
    }
    assert.equal((await server.ask({ path: '/livez' })).status, 200);
    await eventually(() => idle.filter((socket) => !socket.closed).length <= 128);
    assert.match(await server.metrics(), /connections_shed_total\{reason="crowded"\} [1-9]/);
    for (const socket of idle) socket.destroy();
  });

  it('stops at once with idle connections, and leaves the port free', async () => {
    const other = await startSecureServer();
    const idle = await other.dial();
    const closed = once(idle, 'close');
    idle.resume();
    const startMs = systemClock.monotonic();
    await other[Symbol.asyncDispose]();
    await closed;
    // Idle connections would be shed after minutes.
    assert.ok(systemClock.monotonic() - startMs < 10_000);
    await using next = await startSecureServer({ port: other.port });
    assert.equal((await next.ask()).status, 200);
  });

  it('lets a request under way end when it stops', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const asked = Promise.withResolvers<void>();
    const slow: KubeClient = {
      call: async () => {
        asked.resolve();
        await opened;
        const body = Buffer.from(JSON.stringify({ status: { allowed: true } }));
        return { status: 201, headers: {}, body };
      },
      open: () => Promise.reject(new Error('no watches here')),
    };
    const settings = { authentication: authentication({ skipLookup: true }) };
    const other = await startSecureServer({ clients: slow, settings });
    const answer = other.ask({ path: '/configz' });
    await asked.promise;
    const stopped = other[Symbol.asyncDispose]();
    open();
    assert.equal((await answer).status, 200);
    await stopped;
  });
});
