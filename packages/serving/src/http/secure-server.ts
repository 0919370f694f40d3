/**
 * The HTTPS server of Node.js, with bounds on everything that a client may send or keep open. It accepts any client
 * certificate or none, because each request decides which clients are trusted. One function answers every request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type SecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { type Clock, type Logger, sleep } from '@tandem/runtime';
import type { ServingMetrics } from '../serving-metrics.ts';
import { connectionLimits, ConnectionTable } from './connection-table.ts';
import { listen, type ListenSettings } from './listen.ts';
import type { Reply } from './reply.ts';
import { refuseBadRequest, respond } from './respond.ts';

interface SecureServerOptions {
  readonly tls: SecureContextOptions;
  readonly contextFor: (serverName: string) => SecureContext | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ServingMetrics;
  readonly answer: (asked: SecureRequest) => Promise<Reply>;
  readonly labelOf: (path: string) => string;
}

interface SecureRequest {
  readonly request: IncomingMessage;
  readonly socket: TLSSocket;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
}

const limits = {
  /** Enough for a token, which has up to a few kilobytes. */
  headerBytes: 16 * 1024,
  headersMs: 30_000,
  handshakeMs: 10_000,
  /** The limit from the headers to the last byte of the answer, even if the client reads slowly. */
  requestMs: 120_000,
  /** The maximum number of concurrent requests of one connection. */
  pipelined: 16,
  /** How long requests may continue when the server closes. */
  graceMs: 2_000,
} as const;

export class SecureServer {
  readonly #options: SecureServerOptions;
  readonly #server: Server;
  readonly #table: ConnectionTable<Socket>;
  /** By the client's address and port, which is how a TLS socket finds its TCP socket here. */
  readonly #connections = new Map<string, Socket>();

  constructor(options: SecureServerOptions) {
    const { clock, metrics } = options;
    this.#options = options;
    this.#table = new ConnectionTable({
      clock,
      onCount: (count) => metrics.connections(count),
      onShed: (reason) => metrics.shed(reason),
    });
    this.#server = createServer(serverOptions(options));
    this.#wire();
  }

  /** Uses the certificate for new connections. */
  useCertificate({ cert, key }: { readonly cert: string; readonly key: string }): void {
    this.#server.setSecureContext({ ...this.#options.tls, cert, key });
  }

  listen(settings: ListenSettings): Promise<AddressInfo> {
    return listen(this.#server, settings);
  }

  /** Accepts no more connections, gives running requests a moment to end, and then closes everything. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#table.close('idle');
    const giveUp = new AbortController();
    void closed.then(() => giveUp.abort());
    await sleep(this.#options.clock, limits.graceMs, giveUp.signal).catch(() => undefined);
    this.#table.close('all');
    await closed;
  }

  #track(socket: Socket): void {
    const key = keyOf(socket);
    this.#connections.set(key, socket);
    socket.once('close', () => {
      if (this.#connections.get(key) === socket) this.#connections.delete(key);
      this.#table.closed(socket);
    });
    // A reset by the client is not worth logging.
    socket.on('error', () => undefined);
    this.#table.opened(socket);
  }

  #wire(): void {
    const { clock, logger } = this.#options;
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      void this.#take(request, response);
    };
    this.#server.on('connection', (socket: Socket) => this.#track(socket));
    this.#server.on('request', take);
    // The server never asks a client for its body with "100 Continue".
    this.#server.on('checkContinue', take);
    this.#server.on('checkExpectation', take);
    this.#server.on('clientError', refuseBadRequest(clock));
    this.#server.on('connect', (_, socket) => {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    this.#server.on('tlsClientError', (err: NodeJS.ErrnoException, socket) => {
      logger.debug({ code: err.code }, 'TLS handshake failed');
      const connection = this.#connections.get(keyOf(socket));
      if (err.code === 'ERR_SSL_HTTP_REQUEST') connection?.end(plainHttpAnswer);
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, answer, metrics, labelOf } = this.#options;
    const { socket } = request;
    const connection = this.#connections.get(keyOf(socket));
    if (!(socket instanceof TLSSocket) || connection === undefined) {
      socket.destroy();
      return;
    }
    const left = new AbortController();
    const timer = clock.after(limits.requestMs, () => connection.destroy());
    response.once('close', () => {
      timer.cancel();
      left.abort();
      this.#table.ended(connection);
    });
    if (this.#table.began(connection) > limits.pipelined) {
      connection.destroy();
      return;
    }
    const reply = await answer({ request, socket, signal: left.signal });
    if (response.destroyed) return;
    const [path = ''] = (request.url ?? '').split('?');
    metrics.answered(labelOf(path), reply.status);
    respond({ request, response }, reply, clock);
  }
}

function serverOptions({
  tls,
  contextFor,
}: SecureServerOptions): Parameters<typeof createServer>[0] {
  return {
    ...tls,
    // Some clients offer only the older version, and the handshake would fail without it.
    ALPNProtocols: ['http/1.1', 'http/1.0'],
    requestCert: true,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeMs,
    SNICallback: (name, done) => done(null, contextFor(name)),
    insecureHTTPParser: false,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: connectionLimits.idleMs,
    connectionsCheckingInterval: connectionLimits.sweepEveryMs,
  };
}

/** The answer to a client that speaks HTTP without TLS. It is sent without TLS, too. */
const plainHttpAnswer =
  'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n' +
  'Client sent an HTTP request to an HTTPS server.\n';

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
