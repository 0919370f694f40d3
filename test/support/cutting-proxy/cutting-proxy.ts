/**
 * A reverse proxy on loopback between a client and an API server, with a certificate of its own. It records every
 * request. A test can make it hold a request, break it, answer in the server's place, or act at exactly that point:
 * before the server sees the request, or after it has answered and before the client knows. All other traffic passes
 * unchanged, watches as they come.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, request as send } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { systemClock } from '@tandem/runtime';
import { createAuthority, type Credentials } from '../../control-plane/index.ts';
import { LoopbackServer } from '../loopback-server.ts';
import { type Exchange, kindOf } from './exchange.ts';
import { type Interference, Interferences } from './interference.ts';

export type Fate =
  /** The connection breaks. */
  | 'drop'
  /** No answer ever comes. */
  | 'hang'
  /** The proxy gives this answer instead of the server's. */
  | Reply;

interface Reply {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

type Address = Pick<Credentials, 'server' | 'ca'>;

export class CuttingProxy extends LoopbackServer {
  /** All requests so far, in the order of arrival. */
  readonly exchanges: Exchange[] = [];
  readonly #ca: string;
  readonly #target: Address;
  readonly #agent: Agent;
  readonly #interferences = new Interferences<Exchange, Fate>();

  static start(target: Address): Promise<CuttingProxy> {
    return new CuttingProxy(target).listen();
  }

  private constructor(target: Address) {
    const authority = createAuthority('tandem cutting proxy', systemClock.now());
    const hosts = ['127.0.0.1'];
    super(authority.issue({ commonName: 'proxy', hosts, uses: ['serverAuth'] }));
    this.#ca = authority.cert;
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, ca: target.ca });
  }

  /** Its URL, and the authority that clients have to trust. */
  get address(): Address {
    return { server: this.url, ca: this.#ca };
  }

  /** Adds an interference. Returns a function that removes it. */
  interfere(interference: Interference<Exchange, Fate>): () => void {
    return this.#interferences.add(interference);
  }

  /** The requests that change something unless they are refused. */
  get writes(): readonly Exchange[] {
    return this.exchanges.filter(({ kind }) => kind === 'write');
  }

  /** Breaks all current connections. New ones are accepted. */
  breakConnections(): void {
    this.server.closeAllConnections();
    this.#agent.destroy();
  }

  override async close(): Promise<void> {
    this.#agent.destroy();
    await super.close();
  }

  protected answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // A broken connection breaks for both ends, which report it.
    this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const receivedAtMs = systemClock.now();
    const body = await buffer(incoming);
    const exchange = describe(incoming, { body: body.toString('utf8'), receivedAtMs });
    this.exchanges.push(exchange);
    const fateOf = this.#interferences.meet(exchange);
    const before = await fateOf('before');
    if (before !== 'pass') return meet(before, exchange, outgoing);

    exchange.isForwarded = true;
    const answer = await this.#forward(incoming, body, outgoing);
    if (exchange.kind === 'watch') {
      exchange.status = answer.statusCode;
      return passOn(answer, outgoing);
    }
    // Bytes, because a list may be protobuf.
    const bytes = await buffer(answer);
    const after = await fateOf('after');
    if (after !== 'pass') return meet(after, exchange, outgoing);
    exchange.status = answer.statusCode;
    outgoing.writeHead(answer.statusCode ?? 0, passable(answer.headers));
    outgoing.end(bytes);
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
    // When a client leaves, its watch ends at the server as well. Its writes stay written.
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

function meet(fate: Fate, exchange: Exchange, outgoing: ServerResponse): void {
  if (fate === 'drop') return void outgoing.destroy();
  // Until the client gives up, or the proxy ends.
  if (fate === 'hang') return;
  const { status, reason, message } = fate;
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  exchange.status = status;
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ ...head, message, reason, code: status }));
}

function passOn(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 0, passable(answer.headers));
  outgoing.flushHeaders();
  answer.on('error', () => outgoing.destroy());
  answer.on('aborted', () => outgoing.destroy());
  answer.pipe(outgoing);
}

/** The headers without those of the connection, which are set again for the other connection. */
function passable(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _connection, 'transfer-encoding': _encoding, ...others } = headers;
  return others;
}
