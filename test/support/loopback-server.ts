/** A server on loopback, over TLS or plain: the base of the fakes of clouds. */
import assert from 'node:assert/strict';
import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure, type Server as SecureServer } from 'node:https';
import { text } from 'node:stream/consumers';

export abstract class LoopbackServer implements AsyncDisposable {
  protected readonly server: Server | SecureServer;
  readonly #scheme: 'http' | 'https';

  /** Uses TLS if a certificate is given. */
  constructor(tls?: { readonly cert: string; readonly key: string }) {
    const listener: RequestListener = (request, response) => void this.answer(request, response);
    this.server = tls === undefined ? createPlain(listener) : createSecure(tls, listener);
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  protected abstract answer(request: IncomingMessage, response: ServerResponse): unknown;

  /** Listens on a free port of a loopback address of either family. */
  protected async listen(host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve));
    return this;
  }

  get url(): string {
    const address = this.server.address();
    assert(address !== null && typeof address === 'object', 'the server is closed');
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `${this.#scheme}://${host}:${address.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

export function bodyOf(request: IncomingMessage): Promise<string> {
  return text(request);
}
