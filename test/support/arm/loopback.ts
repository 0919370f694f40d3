/** Servers of the fake on loopback: over TLS with a certificate of its own authority, or plain. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer as createSecure, type Server as SecureServer } from 'node:https';
import type { Authority } from '@tandem/serving/certificates';

export class Loopback implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server | SecureServer;

  private constructor(server: Server | SecureServer, scheme: string) {
    const address = server.address();
    assert(address !== null && typeof address === 'object', 'the server is closed');
    this.url = `${scheme}://127.0.0.1:${address.port}`;
    this.#server = server;
  }

  static async secure(authority: Authority, listener: RequestListener): Promise<Loopback> {
    const subject = {
      commonName: 'azure',
      hosts: ['127.0.0.1', 'localhost'],
      uses: ['serverAuth'] as const,
    };
    const server = createSecure(authority.issue(subject), listener);
    return Loopback.#listen(server, 'https');
  }

  static async plain(listener: RequestListener): Promise<Loopback> {
    return Loopback.#listen(createPlain(listener), 'http');
  }

  static async #listen(server: Server | SecureServer, scheme: string): Promise<Loopback> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Loopback(server, scheme);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
