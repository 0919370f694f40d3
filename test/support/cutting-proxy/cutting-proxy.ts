/**
 * A reverse proxy on loopback between a client and an API server, with a certificate of its own. It
 * records every request and, where a test asks for it, holds one, breaks it, answers in the server's
 * place or lets something happen at exactly that point: before the server has seen it, or after it has
 * answered and before the client knows. Everything else passes as it is, watches as they come.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request as send, type Server } from 'node:https';
import { systemClock } from '@tandem/runtime';
import { createAuthority, type Credentials } from '../../control-plane/index.ts';
import { type Exchange, kindOf } from './exchange.ts';
import {
  type Fate,
  fateOf,
  type Interference,
  Interferences,
  type Reply,
  statusObject,
} from './interference.ts';

export class CuttingProxy implements AsyncDisposable {
  /** Where clients find it, and whom they have to trust. */
  readonly address: Pick<Credentials, 'server' | 'ca'>;
  /** All requests so far, in the order in which they came. */
  readonly exchanges: Exchange[] = [];
  readonly #target: Pick<Credentials, 'server' | 'ca'>;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #interferences = new Interferences();

  static async start(target: Pick<Credentials, 'server' | 'ca'>): Promise<CuttingProxy> {
    const authority = createAuthority('tandem cutting proxy', systemClock.now());
    const host = '127.0.0.1';
    const pair = authority.issue({ commonName: 'proxy', hosts: [host], uses: ['serverAuth'] });
    const server = createServer(pair);
    server.listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return new CuttingProxy(target, server, {
      server: `https://${host}:${port}`,
      ca: authority.cert,
    });
  }

  private constructor(
    target: Pick<Credentials, 'server' | 'ca'>,
    server: Server,
    address: Pick<Credentials, 'server' | 'ca'>,
  ) {
    this.#target = target;
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca: target.ca });
    this.address = address;
    server.on('request', (incoming, outgoing) => {
      // What a connection breaks with is for the two ends to say.
      this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** Sets an interference, and gives what takes it away again. */
  interfere(interference: Interference): () => void {
    return this.#interferences.add(interference);
  }

  /** The requests that would have changed something. */
  get writes(): readonly Exchange[] {
    return this.exchanges.filter(({ kind }) => kind === 'write');
  }

  /** Breaks every connection there is; new ones are taken. */
  breakConnections(): void {
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.breakConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const receivedAtMs = systemClock.now();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const exchange = describe(incoming, { body: body.toString('utf8'), receivedAtMs });
    this.exchanges.push(exchange);
    const about = this.#interferences.about(exchange);
    const before = await fateOf(about, 'before', exchange);
    if (before !== 'pass') return meet(before, exchange, outgoing);

    exchange.isForwarded = true;
    const answer = await this.#forward(incoming, body, outgoing);
    if (exchange.kind === 'watch') {
      exchange.status = answer.statusCode;
      return passOn(answer, outgoing);
    }
    const text: Buffer[] = [];
    for await (const chunk of answer) text.push(chunk);
    const after = await fateOf(about, 'after', exchange);
    if (after !== 'pass') return meet(after, exchange, outgoing);
    exchange.status = answer.statusCode;
    outgoing.writeHead(answer.statusCode ?? 0, passable(answer.headers));
    outgoing.end(Buffer.concat(text));
  }

  async #forward(
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
  ): Promise<IncomingMessage> {
    const { host: _host, ...headers } = incoming.headers;
    const forwarded = send(new URL(incoming.url ?? '/', this.#target.server), {
      agent: this.#agent,
      method: incoming.method,
      headers: { ...headers, 'content-length': body.length },
    });
    const response = Promise.withResolvers<IncomingMessage>();
    forwarded.once('response', response.resolve);
    forwarded.on('error', response.reject);
    forwarded.end(body);
    const answer = await response.promise;
    // A client that goes ends its watch at the server, too. What it wrote stays written.
    outgoing.once('close', () => answer.destroy());
    return answer;
  }
}

function describe(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  seen: Pick<Exchange, 'body' | 'receivedAtMs'>,
): Exchange {
  const asked = new URL(url, 'https://proxy');
  return {
    ...seen,
    method,
    path: asked.pathname,
    query: asked.searchParams,
    kind: kindOf(method, asked),
    userAgent: headers['user-agent'] ?? '',
    status: undefined,
    isForwarded: false,
  };
}

function meet(fate: Exclude<Fate, 'pass'>, exchange: Exchange, outgoing: ServerResponse): void {
  switch (fate) {
    case 'drop':
      outgoing.destroy();
      return;
    case 'hang':
      // Until the client gives up, or the proxy ends.
      return;
    default:
      reply(fate, exchange, outgoing);
  }
}

function reply(answer: Reply, exchange: Exchange, outgoing: ServerResponse): void {
  exchange.status = answer.status;
  outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
  outgoing.end(statusObject(answer));
}

async function passOn(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answer.statusCode ?? 0, passable(answer.headers));
  outgoing.flushHeaders();
  answer.on('error', () => outgoing.destroy());
  answer.on('aborted', () => outgoing.destroy());
  answer.pipe(outgoing);
}

/** Headers that are about one connection are made anew for the other. */
function passable(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _connection, 'transfer-encoding': _encoding, ...others } = headers;
  return others;
}
