/** The listening socket of the embedded API server. Stopping it closes every connection. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { Socket } from 'node:net';
import { CcmError, type Clock } from '@tandem/runtime';
import { OpenSockets } from './open-sockets.ts';

/** `stopping` aborts when the server stops. */
type OnRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  stopping: AbortSignal,
) => void;

export interface ListenerOptions {
  readonly clock: Clock;
  /** 0 for any that is free. */
  readonly port: number;
  readonly tls: ServerOptions;
  readonly onRequest: OnRequest;
}

const host = '127.0.0.1';
/** How long watches may take to end when the server stops. */
const stopMsMax = 2_000;
/** Clients keep connections for about this long. */
const keepAliveMs = 90_000;
/** The limit of a kube-apiserver for the request line and headers. */
const headerBytesMax = 1024 * 1024;

/** The answer to a client that speaks HTTP without TLS, sent without TLS. */
const plainHttpAnswer =
  'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #sockets = new OpenSockets();
  #port: number;
  readonly #stopping = new AbortController();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#port = options.port;
    this.#server = createServer({
      ...options.tls,
      ALPNProtocols: ['http/1.1'],
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: headerBytesMax,
      // The client decides how long a watch lasts.
      requestTimeout: 0,
    });
    this.#server.on('connection', (socket) => {
      if (socket instanceof Socket) this.#sockets.opened(socket);
    });
    this.#server.on('request', (request, response) => this.#take(request, response));
    // A client that does not trust this server, or leaves during the handshake, needs no log line.
    this.#server.on('tlsClientError', (err, socket) => {
      const isPlainHttp = 'code' in err && err.code === 'ERR_SSL_HTTP_REQUEST';
      if (isPlainHttp) this.#sockets.below(socket)?.end(plainHttpAnswer);
    });
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const stopping = this.#stopping.signal;
    this.#sockets.answering(request, response);
    // Once the server is stopping, a connection ends with its answer.
    response.once('close', () => {
      if (stopping.aborted) request.socket.end();
    });
    this.#options.onRequest(request, response, stopping);
  }

  /** `https://127.0.0.1:6443`. */
  get address(): string {
    return `https://${host}:${this.#port}`;
  }

  async start(): Promise<void> {
    await listen(this.#server, this.#port);
    const address = this.#server.address();
    if (address !== null && typeof address === 'object') this.#port = address.port;
  }

  /** Ends watches as a timeout would, and closes all connections. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#stopping.abort(new ServeError('The embedded API server is stopping', undefined));
    this.#sockets.closeIdle();
    const timer = this.#options.clock.after(stopMsMax, () => this.#sockets.closeAll());
    await closed;
    timer.cancel();
  }
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? String(err.code) : 'no code';
    const why =
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is already in use. Stop the program that listens there or choose another port (0 for any free port).`
        : `Cannot listen on ${host} port ${port} (${code}). Choose an address of this machine and a port that you are allowed to use.`;
    throw new ServeError(why, err);
  }
}

/** The embedded API server could not be started; the message says what to do. */
export class ServeError extends CcmError {
  constructor(message: string, cause: unknown) {
    super(message, {
      code: 'EmbeddedServerUnavailable',
      retry: 'never',
      effect: 'none',
      cause,
    });
  }
}
