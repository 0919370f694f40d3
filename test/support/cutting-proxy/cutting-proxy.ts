/**
 * A reverse proxy on loopback between a client and an API server, with a certificate of its own. It
 * records every request and, where a test asks for it, holds one, breaks it, answers in the server's
 * place or lets something happen at exactly that point: before the server has seen it, or after it has
 * answered and before the client knows. Everything else passes as it is, watches as they come.
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
  /** This is answered, whatever the server said or would have said. */
  | Reply;

interface Reply {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

type Address = Pick<Credentials, 'server' | 'ca'>;

export class CuttingProxy extends LoopbackServer {
  /** All requests so far, in the order in which they came. */
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

  /** Where clients find it, and whom they have to trust. */
  get address(): Address {
    return { server: this.url, ca: this.#ca };
  }

  /** Sets an interference, and gives what takes it away again. */
  interfere(interference: Interference<Exchange, Fate>): () => void {
    return this.#interferences.add(interference);
  }

  /** The requests that would have changed something. */
  get writes(): readonly Exchange[] {
    return this.exchanges.filter(({ kind }) => kind === 'write');
  }

  /** Breaks every connection there is; new ones are taken. */
  breakConnections(): void {
    this.server.closeAllConnections();
    this.#agent.destroy();
  }

  override async close(): Promise<void> {
    this.#agent.destroy();
    await super.close();
  }

  protected answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // A connection that breaks here breaks for both ends, which report it.
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
    // Bytes, because lists may be protobuf.
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

/** Headers that are about one connection are made again for the other. */
function passable(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _connection, 'transfer-encoding': _encoding, ...others } = headers;
  return others;
}
