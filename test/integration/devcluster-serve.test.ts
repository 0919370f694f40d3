/** The embedded cluster over HTTPS: who may come in, what is refused, and that nothing stays behind. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as send } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createCluster, type EmbeddedCluster } from '@tandem/devcluster/model';
import {
  type RequestFailure,
  serve,
  ServeError,
  type ServedCluster,
} from '@tandem/devcluster/serve';
import { type Clock, systemClock, systemRandom } from '@tandem/runtime';
import { type Credentials, eventually, open, request } from '../control-plane/index.ts';

const nodes = '/api/v1/nodes';

describe('the embedded cluster over HTTPS', () => {
  let cluster: EmbeddedCluster;
  let served: ServedCluster;
  let credentials: Credentials;

  before(async () => {
    cluster = createCluster({ clock: systemClock, random: systemRandom });
    served = await serve({ cluster, clock: systemClock });
    credentials = { server: served.server, ca: served.ca, ...served.admin };
  });
  after(() => served.stop());

  const anonymous = (): Credentials => ({ server: served.server, ca: served.ca });
  const statusOf = async (who: Credentials, path: string = nodes): Promise<number> =>
    (await request(who, { path })).status;

  it('authenticates the administrator by certificate', async () => {
    assert.equal(await statusOf(credentials), 200);
  });

  it('refuses a client without a certificate with 403, and one with a token with 401', async () => {
    assert.equal(await statusOf(anonymous()), 403);
    assert.equal(await statusOf({ ...anonymous(), token: 'wrong' }), 401);
  });

  it('shows its health and version to everybody', async () => {
    assert.equal(await statusOf(anonymous(), '/livez'), 200);
    assert.equal(await statusOf(anonymous(), '/version'), 200);
    assert.equal(await statusOf(anonymous(), '/metrics'), 403);
  });

  it('keeps a connection for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    for (let i = 0; i < 3; i++) {
      const { server, ...tls } = credentials;
      const outgoing = send(new URL(nodes, server), { ...tls, agent });
      outgoing.on('socket', (socket) => sockets.add(socket));
      outgoing.end();
      const [response] = await once(outgoing, 'response');
      for await (const _ of response);
    }
    agent.destroy();
    assert.equal(sockets.size, 1);
  });

  it('refuses a body over the limit with 413, and keeps serving', async () => {
    const annotations = { a: 'x'.repeat(4_000_000) };
    const body = { metadata: { name: 'n', annotations } };
    const answer = await request(credentials, { method: 'POST', path: nodes, body });
    assert.equal(answer.status, 413, answer.text);
    assert.equal(await statusOf(credentials), 200);
  });

  it('says which port is taken and what to do', async () => {
    const port = Number(new URL(served.server).port);
    const again = serve({ cluster, clock: systemClock, port });
    await assert.rejects(again, (err) => {
      assert.ok(err instanceof ServeError);
      assert.match(
        err.message,
        new RegExp(`^Port ${port} on 127.0.0.1 is already in use. .*another port`),
      );
      return true;
    });
  });

  it('ends watches and closes every connection when it stops', async () => {
    const other = await serve({ cluster, clock: systemClock });
    const who: Credentials = { server: other.server, ca: other.ca, ...other.admin };
    const watch = await open(who, { path: `${nodes}?watch=1` });
    // A connection that is cut off rejects this.
    const ended = watch.toArray();
    await other.stop();
    assert.deepEqual(await ended, []);
    await assert.rejects(request(who, { path: nodes }), /ECONNREFUSED/);
    await other.stop();
  });

  it('ends a watch whose client has left', async () => {
    const timers = new Set<object>();
    const clock: Clock = {
      ...systemClock,
      after(delayMs, callback) {
        const timer = systemClock.after(delayMs, callback);
        timers.add(timer);
        return {
          cancel() {
            timers.delete(timer);
            timer.cancel();
          },
        };
      },
    };
    const watched = createCluster({ clock, random: systemRandom });
    const other = await serve({ cluster: watched, clock });
    const who: Credentials = { server: other.server, ca: other.ca, ...other.admin };
    const watch = await open(who, { path: `${nodes}?watch=1&allowWatchBookmarks=true` });
    assert.ok(timers.size > 0);
    watch.destroy();
    await eventually(() => timers.size === 0);
    await other.stop();
  });

  /** What comes back on a plain or TLS connection for a text that is sent as it is. */
  async function said(socket: Socket, text: string): Promise<string> {
    let heard = '';
    socket.setEncoding('utf8').on('data', (chunk) => (heard += chunk));
    // What was heard counts, also where the connection is then reset.
    const closed = new Promise((resolve) => void socket.once('close', resolve));
    socket.write(text);
    await closed;
    return heard;
  }
  const dial = (server: string): Socket => connect(Number(new URL(server).port), '127.0.0.1');
  const dialTls = ({ server, ...tls }: Credentials): Socket =>
    connectTls({ ...tls, host: '127.0.0.1', port: Number(new URL(server).port) });

  it('stops at once whatever clients leave open: no handshake, no request, or half of one', async () => {
    const other = await serve({ cluster, clock: systemClock });
    const who: Credentials = { server: other.server, ca: other.ca, ...other.admin };
    const silent = dial(other.server);
    const idle = dialTls(who);
    const half = dialTls(who);
    const slow = dialTls(who);
    await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect')]);
    half.write('GET /api/v1/nodes HTTP/1.1\r\nHost: x\r\n');
    slow.write('POST /api/v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    // An answer on another connection shows that the server has had its turn with these.
    await request(who, { path: '/version' });
    const sockets = [silent, idle, half, slow];
    const closed = sockets.map((socket) =>
      once(
        socket.on('error', () => undefined),
        'close',
      ),
    );
    const startedAt = systemClock.monotonic();
    await other.stop();
    await Promise.all(closed);
    assert.ok(systemClock.monotonic() - startedAt < 1_500);
  });

  it('tells a client that speaks HTTP without TLS what is wrong', async () => {
    const heard = await said(dial(served.server), 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.match(heard, /^HTTP\/1\.0 400 /);
    assert.match(heard, /Client sent an HTTP request to an HTTPS server\.\n$/);
  });

  const unreadable = [
    ['a line that is no request', 'garbage\r\n\r\n', 400],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
    [
      'headers beyond a mebibyte',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(1024 * 1024)}`,
      431,
    ],
  ] as const;
  for (const [name, text, status] of unreadable) {
    it(`answers ${name} with ${status}`, async () => {
      const socket = dialTls(credentials).on('error', () => undefined);
      assert.match(await said(socket, text), new RegExp(`^HTTP/1\\.1 ${status} `));
    });
  }

  it('accepts headers and paths of 100 KB', async () => {
    const long = 'x'.repeat(100_000);
    const text = `GET /version?${long} HTTP/1.1\r\nHost: x\r\nA: ${long}\r\nConnection: close\r\n\r\n`;
    assert.match(await said(dialTls(credentials), text), /^HTTP\/1\.1 200 /);
  });

  it('answers 500 on a bug of its own, and reports the error', async () => {
    const failures: RequestFailure[] = [];
    const failing: EmbeddedCluster = {
      ...cluster,
      answer(asked) {
        if (asked.path === nodes) throw new RangeError('a mistake');
        return cluster.answer(asked);
      },
    };
    const onFailure = (failure: RequestFailure): void => void failures.push(failure);
    const other = await serve({ cluster: failing, clock: systemClock, onFailure });
    const who: Credentials = { server: other.server, ca: other.ca, ...other.admin };
    const { status, text } = await request(who, { path: nodes });
    assert.deepEqual([status, JSON.parse(text).reason], [500, 'InternalError']);
    assert.deepEqual(
      failures.map(({ method, target, err }) => [method, target, String(err)]),
      [['GET', nodes, 'RangeError: a mistake']],
    );
    await other.stop();
  });
});
